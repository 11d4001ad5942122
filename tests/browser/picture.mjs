// Makes the picture of the panel that docs/ has, with invented content.
//   LOCI=build/release/loci LOCI_NPM=build/npm node tests/browser/picture.mjs docs/panel.png
import { World } from './world.mjs';
const world = new World();
try {
  world.write('user.md', '# User\n\nIda, runs the bakery on Mill Lane. Prefers short answers and metric units.\n');
  const facts = [
    ['The sourdough starter is fed at six in the morning and at six in the evening.', 'starter', 'bakery', '2026-09-02T06:10:00Z', 'dough', 0],
    ['Rye flour comes from the Hartwell mill on Tuesdays, 50 kg at a time.', 'suppliers', 'bakery', '2026-09-08T08:20:00Z', 'suppliers', 0],
    ['The deck oven holds twelve loaves and needs forty minutes to reach 250 °C.', 'oven', 'bakery', '2026-09-15T05:40:00Z', 'oven', 0],
    ['Proof the rye loaves for ninety minutes at 26 °C before they go into the oven.', 'dough', 'bakery', '2026-10-04T07:05:00Z', 'dough', 1],
    ['Tomas takes over the early shift from November on.', 'team', 'bakery', '2026-10-20T16:30:00Z', 'shifts', 0],
    ['The walnut loaf sells out on Saturdays: bake thirty instead of twenty.', 'orders', 'bakery', '2026-11-07T13:15:00Z', 'saturday', 0],
    ['The café on the square orders sixteen rye loaves every Friday.', 'orders', 'bakery', '2026-11-12T09:45:00Z', 'orders', 0],
    ['The oven door seal was replaced in October, the steam valve is next.', 'oven', 'bakery', '2026-11-16T18:00:00Z', 'oven', 1],
  ];
  world.turn('saturday', 'The walnut loaf was gone by ten again.', 'Then **thirty** next Saturday. Shall I note that?');
  world.turn('dough', 'How long do the rye loaves proof now that it is colder?', 'Ninety minutes at 26 °C, as you decided in **October**.');
  world.loci(['add', '--jsonl', '-'], facts.map(([text, tag, project, at, session, turn]) => JSON.stringify({ text, tags: [tag], project, at, session, turn })).join('\n') + '\n');
  world.loci(['consolidate', '--force']);
  world.loci(['add', '--tag', 'starter', '--project', 'bakery', '--', 'The spare rye starter is in the small fridge.']);
  const id = world.json('search', 'proof rye loaves').hits.find((hit) => hit.text.startsWith('Proof')).id;
  world.loci(['correct', id, 'Proof the rye loaves for seventy-five minutes at 28 °C before they go into the oven.']);
  await world.startDaemon();
  const page = await world.open({ viewport: { width: 1280, height: 740 }, colorScheme: 'light', deviceScaleFactor: 1 });
  await world.search('rye loaves');
  const results = page.getByLabel('Results');
  await results.getByText('seventy-five').first().waitFor();
  await results.getByText('walnut').waitFor();
  await results.getByRole('button', { name: /why/ }).nth(1).click();
  await results.getByRole('link', { name: /seventy-five/ }).first().click();
  const entry = page.getByRole('region', { name: 'Entry' });
  await page.mouse.move(5, 770);
  await page.evaluate(() => document.activeElement.blur());
  await entry.getByText('It rests on').waitFor();
  await page.screenshot({ path: process.argv[2] });
} finally { await world.close(); }
