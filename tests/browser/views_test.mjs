// Every view in both themes and at 360 px: nothing that axe-core finds, nothing that runs out of the window, a picture of each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World, axeSource } from './world.mjs';

const world = new World();

const views = {
  search: 'search', memory: 'memory', prompt: 'memory?layer=L0', past: 'memory?layer=L2', conversations: 'conversations', conversation: 'conversations?session=harbour',
  consolidation: 'consolidation', used: 'used', health: 'health', settings: 'settings',
};

before(async () => {
  world.write('user.md', '# User\n\n## Work\n\nBuilds sailing boats, and answers letters on Mondays.\n');
  for (const text of ['The mast of the dinghy is made of spruce.', 'Varnish dries for two days in winter.', 'The slipway is closed at low tide.', 'Jonas buys the rope for the next launch.', 'The launch of the dinghy is on the first of May.'])
    world.add(text, '--tag', 'boats', '--project', 'dinghy');
  world.turn('harbour', 'When is the next launch?', 'On the **first of May**:\n\n1. tide at ten\n2. rope from Jonas');
  world.turn('harbour', 'And who buys the rope?', 'Jonas does.');
  world.add('Jonas buys twenty metres.', '--session', 'harbour', '--turn', '1');
  world.loci(['consolidate', '--force']);
  world.add('A storm is announced for Tuesday.');
  world.write('consolidated/memory.loci-conflict-20260101T000000Z.md', 'The mast is made of ash.\n');
  await world.startDaemon();
});

after(() => world.close());

async function check(page, name) {
  const found = await page.evaluate(async (source) => {
    if (!window.axe) await new Promise((done) => { (0, Function)(source)(); done(); });
    return (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(' | ')}`);
  }, axeSource);
  assert.deepEqual(found, [], name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px wider than the window`);
}

for (const [theme, width] of [['light', 1280], ['dark', 1280], ['light', 360], ['dark', 360]]) {
  test(`every view, ${theme}, ${width} px`, async () => {
    // The policy forbids what axe is loaded with, so the test's own script comes in beside it.
    const page = await world.open({ colorScheme: theme, viewport: { width, height: width === 360 ? 740 : 860 }, bypassCSP: true });
    await page.evaluate(axeSource);
    for (const [name, view] of Object.entries(views)) {
      await world.go(view);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await world.settled();
      await check(page, name);
      await world.picture(`${name}-${theme}-${width}`);
    }
    await world.go('search');
    await world.search('dinghy');
    await page.getByLabel('Results').getByRole('button', { name: /why/ }).first().click();
    await check(page, 'results');
    await world.picture(`results-${theme}-${width}`);
    await page.getByLabel('Results').getByRole('link').first().click();
    const entry = page.getByRole('region', { name: 'Entry' });
    await entry.getByRole('button', { name: 'History' }).click();
    await check(page, 'entry');
    await world.picture(`entry-${theme}-${width}`);
    await entry.getByRole('button', { name: 'Edit' }).click();
    await check(page, 'edit');
    await world.picture(`edit-${theme}-${width}`);
    await entry.getByRole('button', { name: 'Cancel' }).click();
    await entry.getByRole('button', { name: 'Forget' }).click();
    await check(page, 'forget');
    await world.picture(`forget-${theme}-${width}`);
    await page.context().close();
  });
}
