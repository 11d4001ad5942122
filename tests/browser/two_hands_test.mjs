// Somebody else changes what a person is writing about: what was typed is never lost, what was not seen is never written over, and
// what is decided between two machines can be taken back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { correctOnTwoMachines } from './lived_in.mjs';
import { World, until } from './world.mjs';

const world = new World();
let page;

const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const found = (text) => world.json('search', '--', text).hits.map((hit) => hit.text);
const idOf = (text) => world.json('search', '--', text).hits[0].id;
const conflict = () => page.locator('.conflict');
const roof = (text) => `# Roof\n\n<!--m {"id":"c-roof","source":"user","first_seen":"2026-01-02"}-->\n${text}\n`;

before(async () => {
  for (const text of ['The ladder leans behind the shed.', 'The gate is painted every spring.', 'The well is nine metres deep.', 'The hedge is cut in June.', 'The kiln fires on Sundays.']) world.add(text);
  world.write('consolidated/roof.md', roof('The roof is covered with slate.'));
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

async function write(text, way, box, words) {
  const entry = await world.openEntry(text);
  await entry.getByRole('button', { name: way }).click();
  await entry.getByRole('textbox', { name: box }).fill(words);
  return entry;
}

test('an edit shows what somebody else wrote beside it, and takes its place when its person says so', async () => {
  const entry = await write('The ladder leans behind the shed.', 'Edit', 'Text', 'The ladder hangs in the barn.');
  world.loci(['edit', idOf('ladder'), '--text', 'The ladder leans behind the house.']);
  await entry.getByRole('button', { name: 'Save' }).click();
  await conflict().getByText('behind the house').waitFor();
  await conflict().getByText('in the barn').waitFor();
  assert.equal(await entry.getByRole('textbox', { name: 'Text' }).inputValue(), 'The ladder hangs in the barn.');
  assert.deepEqual(found('ladder'), ['The ladder leans behind the house.']);
  await button('Keep mine').click();
  await told('Saved');
  assert.deepEqual(found('ladder'), ['The ladder hangs in the barn.']);
  await button('Undo').click();
  await told('Undone');
  await until(() => found('ladder')[0] === 'The ladder leans behind the house.', 'what somebody else wrote');
  assert.equal(found('ladder').length, 1);
});

test('what somebody else wrote and took back while both stood side by side is no dead end', async () => {
  world.add('The trough holds forty litres.');
  const id = idOf('trough');
  const entry = await write('The trough holds forty litres.', 'Edit', 'Text', 'The trough holds fifty litres.');
  world.loci(['edit', id, '--text', 'The trough holds sixty litres.']);
  await entry.getByRole('button', { name: 'Save' }).click();
  await conflict().getByText('sixty litres').waitFor();
  world.loci(['restore', id]);
  await button('Keep mine').click();
  await conflict().getByText('forty litres').waitFor();
  await button('Keep mine').click();
  await told('Saved');
  assert.deepEqual(found('trough'), ['The trough holds fifty litres.']);
});

test('tags that somebody else has set are not written over unseen either', async () => {
  world.write('consolidated/vane.md', '# Vane\n\n<!--m {"id":"c-vane","source":"user","tags":["roof"]}-->\nThe vane points north.\n');
  await until(() => found('vane').length === 1, 'the vane');
  const entry = await write('The vane points north.', 'Edit', 'Tags', 'weather');
  world.loci(['edit', 'c-vane', '--tag', 'metal']);
  await entry.getByRole('button', { name: 'Save' }).click();
  await conflict().getByText('metal').waitFor();
  await conflict().getByText('weather').waitFor();
  assert.equal(world.json('list', '--tag', 'metal').entries.length, 1);
  await button('Keep mine').click();
  await told('Saved');
  assert.equal(world.json('list', '--tag', 'weather').entries.length, 1);
  await button('Undo').click();
  await told('Undone');
  assert.equal(world.json('list', '--tag', 'metal').entries.length, 1);
});

test('what stands there now is kept when its person says so', async () => {
  const entry = await write('The gate is painted every spring.', 'Edit', 'Text', 'The gate is painted in May.');
  world.loci(['edit', idOf('gate'), '--text', 'The gate is painted in April.']);
  await entry.getByRole('button', { name: 'Save' }).click();
  await button('Keep that').click();
  await page.getByRole('region', { name: 'Entry' }).locator('.entry-text').getByText('in April').waitFor();
  assert.deepEqual(found('gate'), ['The gate is painted in April.']);
});

test('a correction is of the words that its person saw', async () => {
  const entry = await write('The roof is covered with slate.', 'Correct', 'What is right', 'The roof is covered with tiles.');
  world.write('consolidated/roof.md', roof('The roof is covered with copper.'));
  await until(() => found('roof')[0]?.includes('copper'), 'the other words');
  await entry.getByRole('button', { name: 'Save' }).click();
  await conflict().getByText('with copper').waitFor();
  assert.equal(await entry.getByRole('textbox', { name: 'What is right' }).inputValue(), 'The roof is covered with tiles.');
  assert.deepEqual(found('roof'), ['The roof is covered with copper.']);
  await button('Keep mine').click();
  await told('Corrected');
  assert.deepEqual(found('roof'), ['The roof is covered with tiles.']);
});

test('user.md is not written over either', async () => {
  world.write('user.md', '# User\n\nGrows pears.\n');
  await world.go('memory?layer=L0');
  await page.getByText('Grows pears.').first().waitFor();
  await button('Edit user.md').click();
  const box = page.getByRole('textbox', { name: 'user.md' });
  await box.fill('# User\n\nGrows apples.\n');
  world.write('user.md', '# User\n\nGrows plums.\n');
  await button('Save').click();
  await conflict().getByText('plums').waitFor();
  assert.equal(await box.inputValue(), '# User\n\nGrows apples.\n');
  assert.match(world.read('user.md'), /plums/);
  await button('Keep mine').click();
  await told('Saved user.md');
  assert.match(world.read('user.md'), /apples/);
  await button('Undo').click();
  await told('Undone');
  assert.match(world.read('user.md'), /plums/);
});

// As a form does when it opens. The list of the entries that are always in the prompt asks the very same: it must not be in view.
const asksForLines = (url) => url.searchParams.get('limit') === '200' && url.searchParams.get('layer') === 'L0';

test('a line of user.md that somebody else writes while its form is open stands beside what was typed', async () => {
  const user = (line) => `# User\n\nKeeps bees.\n\n${line}\n\nWalks to work.\n`;
  for (const [way, box] of [['Edit', 'Text'], ['Correct', 'What is right']]) {
    world.write('user.md', user('Reads at night.'));
    await until(() => world.json('list', '--layer', 'L0').entries.some((one) => one.text === 'Reads at night.'), 'the line');
    const [{ id }] = world.json('list', '--layer', 'L0').entries.filter((one) => one.text === 'Reads at night.');
    await world.go(`memory?entry=${id}`);
    const entry = page.getByRole('region', { name: 'Entry' });
    await entry.locator('.entry-text').getByText('Reads at night.').waitFor();
    const lines = page.waitForResponse((response) => asksForLines(new URL(response.url())));
    await entry.getByRole('button', { name: way, exact: true }).click();
    await lines;
    await entry.getByRole('textbox', { name: box }).fill('Reads at dawn.');
    world.write('user.md', `# User\n\nIs called Ada.\n\n${user('Reads at noon.').slice(8)}`);
    await until(() => world.json('list', '--layer', 'L0').entries.some((one) => one.text === 'Reads at noon.'), 'the other words');
    await entry.getByRole('button', { name: 'Save' }).click();
    await conflict().getByText('Reads at noon.').waitFor();
    await conflict().getByText('Reads at dawn.').waitFor();
    assert.match(world.read('user.md'), /Reads at noon/);
    await button('Keep mine').click();
    await told(way === 'Edit' ? 'Saved' : 'Corrected');
    assert.match(world.read('user.md'), /Is called Ada\.\n\nKeeps bees\.\n\nReads at dawn\.\n\nWalks/);
    await button('Undo').click();
    await told('Undone');
    assert.match(world.read('user.md'), /Keeps bees\.\n\nReads at noon\.\n\nWalks/);
  }
});

test('nor is it taken for one that went if its form was typed in at once, and left', async () => {
  world.write('user.md', '# User\n\nKeeps bees.\n\nSings at dusk.\n');
  await until(() => world.json('list', '--layer', 'L0').entries.some((one) => one.text === 'Sings at dusk.'), 'the line');
  const { id } = world.json('list', '--layer', 'L0').entries.find((one) => one.text === 'Sings at dusk.');
  await world.go(`memory?entry=${id}`);
  const entry = page.getByRole('region', { name: 'Entry' });
  await entry.locator('.entry-text').getByText('Sings at dusk.').waitFor();
  let letGo;
  const isTyped = new Promise((done) => { letGo = done; });
  await page.route(asksForLines, async (route) => { await isTyped; await route.continue(); });
  const lines = page.waitForResponse((response) => asksForLines(new URL(response.url())));
  await entry.getByRole('button', { name: 'Edit', exact: true }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('Sings at dawn.');
  letGo();
  await (await lines).finished();
  await page.unroute(asksForLines);
  await page.evaluate(() => fetch('/icon.svg').then((answer) => answer.text())); // what came before it was taken in before it
  await world.go('health');
  world.write('user.md', '# User\n\nKeeps bees.\n\nSings at noon.\n');
  await until(() => world.json('list', '--layer', 'L0').entries.some((one) => one.text === 'Sings at noon.'), 'the other words');
  await world.go(`memory?entry=${id}`);
  await entry.getByRole('button', { name: 'Save' }).click();
  await conflict().getByText('Sings at noon.').waitFor();
  await button('Keep mine').click();
  await told('Saved');
  assert.match(world.read('user.md'), /Keeps bees\.\n\nSings at dawn\./);
});

test('what was typed outlives other entries, other views, and whoever takes the entry away', async () => {
  const entry = await write('The hedge is cut in June.', 'Edit', 'Text', 'The hedge is cut in July.');
  const id = idOf('hedge');
  await world.openEntry('The well is nine metres deep.');
  await world.go('health');
  await world.go(`memory?entry=${id}`);
  const box = entry.getByRole('textbox', { name: 'Text' });
  await box.waitFor();
  assert.equal(await box.inputValue(), 'The hedge is cut in July.');
  world.loci(['forget', '--purge', '--yes', id]);
  await entry.getByText('no longer counts').waitFor();
  assert.equal(await box.inputValue(), 'The hedge is cut in July.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await entry.getByRole('alert').waitFor();
  assert.equal(await box.inputValue(), 'The hedge is cut in July.');
  await entry.getByRole('button', { name: 'Cancel' }).click();
  await box.waitFor({ state: 'detached' });
});

test('words whose entry somebody took away are stored as a new one, or put away, and neither is a dead end', async () => {
  const takeAway = (id) => world.loci(['forget', id]);
  for (const [way, box] of [['Edit', 'Text'], ['Correct', 'What is right']]) {
    world.add('The crane lifts two tons.', '--tag', 'yard', '--project', 'harbour');
    const id = idOf('crane');
    const entry = await write('The crane lifts two tons.', way, box, 'The crane lifts three tons.');
    world.loci(['edit', id, '--text', 'The crane lifts four tons.']);
    await entry.getByRole('button', { name: 'Save' }).click();
    await conflict().getByText('four tons').waitFor();
    takeAway(idOf('crane'));
    await button('Keep mine').click();
    await conflict().getByText('took this entry away').waitFor();
    await conflict().getByText('three tons').waitFor();
    assert.deepEqual(found('crane'), []);
    await button('Save mine as a new entry').click();
    await told('Stored as a new entry');
    await page.getByRole('region', { name: 'Entry', exact: true }).locator('.entry-text').getByText('three tons').waitFor();
    const [stored] = world.json('search', 'crane').hits;
    assert.deepEqual([stored.text, stored.tags, stored.project, stored.source], ['The crane lifts three tons.', ['yard'], 'harbour', 'user']);
    await button('Undo').click();
    await told('Undone');
    await until(() => found('crane').length === 0, 'the new entry to go');
  }
  world.add('The winch squeals.');
  const entry = await write('The winch squeals.', 'Edit', 'Text', 'The winch is greased.');
  takeAway(idOf('winch'));
  await entry.getByRole('button', { name: 'Save' }).click();
  await button('Discard mine').click();
  await entry.getByRole('button', { name: 'Restore' }).waitFor();
  assert.deepEqual(found('winch'), []);
});

test('what was written about a line that nothing is left of is found where it was written', async () => {
  world.write('user.md', '# User\n\nSleeps late.\n');
  const line = await until(() => world.json('list', '--layer', 'L0').entries.find((one) => one.text === 'Sleeps late.'), 'the line');
  await world.go(`memory?layer=L0&entry=${line.id}`);
  const entry = page.getByRole('region', { name: 'Entry', exact: true });
  await entry.getByRole('button', { name: 'Edit' }).click();
  const box = entry.getByRole('textbox', { name: 'Text' });
  await box.fill('Sleeps early.');
  await world.go('health');
  world.write('user.md', '# User\n');
  await until(() => world.json('list', '--layer', 'L0').entries.length === 0, 'the line to go');
  await world.settled();
  await world.go(`memory?layer=L0&entry=${line.id}`);
  await box.waitFor();
  assert.equal(await box.inputValue(), 'Sleeps early.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await button('Discard mine').click();
  await box.waitFor({ state: 'detached' });
});

test('which of two corrections is right is decided, and the decision is undone', async () => {
  const texts = ['The kiln fires on Mondays.', 'The kiln fires on Fridays.'];
  correctOnTwoMachines(world, 'kiln', texts);
  await world.go('health');
  const card = page.getByRole('article', { name: 'Two corrections' });
  const right = card.locator('.side', { hasText: 'Mondays' });
  await right.getByRole('button', { name: 'This one' }).click();
  await told('The other version is forgotten');
  assert.deepEqual(found('kiln'), ['The kiln fires on Mondays.']);
  assert.deepEqual(world.json('resolve').corrections, []);
  await card.waitFor({ state: 'detached' });
  await button('Undo').click();
  await told('Undone');
  await until(() => world.json('resolve').corrections.length === 1, 'both to stand there again');
  assert.deepEqual(found('kiln').sort(), [...texts].sort());
  await card.waitFor();
});

test('who decides between two corrections after somebody else did takes nothing away', async () => {
  const card = page.getByRole('article', { name: 'Two corrections' });
  await card.waitFor();
  // The other one was chosen elsewhere, and this page has not heard of it yet.
  const late = (url) => url.pathname.endsWith('/history');
  await page.route(late, async (route) => {
    if (found('kiln').length === 2) world.loci(['forget', world.json('search', 'kiln').hits.find((hit) => hit.text.includes('Mondays')).id]);
    return route.continue();
  });
  await card.locator('.side', { hasText: 'Mondays' }).getByRole('button', { name: 'This one' }).click();
  await told(/Nothing was changed:.*Mondays.*does not count any more/);
  await page.unroute(late);
  assert.deepEqual(found('kiln'), ['The kiln fires on Fridays.']);
});

test('what the files do not allow is not offered', async () => {
  world.write('notes/well.md', '# Well\n\nThe well rope is new.\n');
  world.write('user.md', '# User\n\nLikes plain words.\n');
  await until(() => found('rope').length === 1 && found('plain words').length === 1, 'both to be read');
  const open = async (text) => {
    await world.go(`search?entry=${encodeURIComponent(idOf(text))}`);
    const entry = page.getByRole('region', { name: 'Entry' });
    await entry.locator('.entry-text').getByText(text).waitFor();
    return entry;
  };
  const note = await open('The well rope is new.');
  await note.getByRole('button', { name: 'Correct' }).waitFor();
  assert.equal(await note.getByRole('button', { name: 'Edit' }).count(), 0);
  await note.getByText('you edit it there').waitFor();
  const line = await open('Likes plain words.');
  await line.getByRole('button', { name: 'Edit' }).click();
  await line.getByRole('textbox', { name: 'Text' }).waitFor();
  assert.equal(await line.getByRole('textbox', { name: 'Tags' }).count(), 0);
  await line.getByRole('button', { name: 'Cancel' }).click();
  const fact = await open('The well is nine metres deep.');
  await fact.getByRole('button', { name: 'Edit' }).click();
  await fact.getByRole('textbox', { name: 'Tags' }).waitFor();
  await fact.getByRole('button', { name: 'Cancel' }).click();
});
