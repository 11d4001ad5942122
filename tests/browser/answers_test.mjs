// What only a person can answer, answered in the page, and each answer taken back. The files tell what became of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { World, until } from './world.mjs';

const world = new World();
let page;

// What the page says of the answer that was given last; the button Undo beside it is that answer's.
const told = (text) => world.told(text);
// A daemon that just reads its settings anew does not answer: then Undo is offered again. The files tell whether it was done.
const undo = async () => {
  do await page.getByRole('button', { name: 'Undo', exact: true }).click();
  while (/not known/.test(await told(/^Undone|not known to be undone|could not be undone/)));
};

before(async () => {
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('a question is answered in the page, and the answer taken back', async () => {
  for (const thing of ['oars', 'sails', 'anchors', 'ropes', 'lanterns']) world.add(`Ruth stores the ${thing} on the upper floor.`);
  world.loci(['consolidate', '--force']);
  const old = world.read('consolidated/memory.md');
  // One stays: as it was before the run the file would be somebody's old buffer.
  const left = `# Memory\n\n${old.slice(old.lastIndexOf('<!--m '))}`;
  world.write('consolidated/memory.md', left);
  await until(() => world.json('resolve').questions.length === 1, 'the question');
  await world.go('consolidation');
  await page.getByRole('heading', { name: 'Pending' }).waitFor();
  await world.settled();
  await page.getByText('No fact waits.').waitFor(); // what is in question counts as it did before
  await world.go('health');
  for (const [name, said] of [['Keep it as it is now', 'Kept as it is now'], ['Restore the entries', 'Put back as it was']]) {
    await page.getByRole('button', { name }).click();
    await told(said);
    await until(() => world.json('resolve').questions.length === 0, 'the answer');
    await undo();
    await until(() => world.json('resolve').questions.length === 1, 'the question again');
    assert.equal(world.read('consolidated/memory.md'), left);
  }
  await page.getByRole('button', { name: 'Restore the entries' }).click();
  await until(() => world.json('resolve').questions.length === 0, 'the answer');
  for (const line of old.split('\n').filter((one) => one && !one.startsWith('<!--') && !one.startsWith('#'))) assert.ok(world.read('consolidated/memory.md').includes(line), line);
});

test('what is asked about one entry is answered in the page', async () => {
  world.add('Ruth keeps the key of the boathouse under the third stone.');
  world.loci(['consolidate', '--force']);
  const remembered = world.read('consolidated/memory.md');
  const { id } = world.json('list', '--layer', 'L1').entries.find((one) => one.text.includes('third stone'));
  for (const [name, words, said, isFound] of [['Keep it as it is now', 'fourth stone', 'Kept as it is now', true], ['Restore what was', 'fifth stone', 'Put back as it was', false]]) {
    world.loci(['forget', id]);
    world.write('consolidated/memory.md', remembered.replace('third stone', words));
    await until(() => world.json('status').problems.some((one) => one.code === 'edited-after-forget'), 'the question');
    await world.go('health');
    const card = page.getByRole('article', { name: `Question about ${id}` });
    await card.getByText('its new words are found').waitFor();
    assert.equal(await page.getByText('edited-after-forget').count(), 0); // among the problems
    await card.getByRole('button', { name }).click();
    await told(said);
    await card.waitFor({ state: 'detached' });
    const found = world.json('list', '--layer', 'L1').entries.some((one) => one.text.includes(words));
    assert.equal(found, isFound);
  }
  await undo();
  await until(() => world.json('list', '--layer', 'L1').entries.some((one) => one.text.includes('stone')), 'the entry to come back');
});

test('two versions of a file stand side by side; the copy is removed, put back and merged', async () => {
  world.write('plans.md', 'The tour goes north.\n');
  world.write('plans.loci-conflict-20260101T000000Z.md', 'The tour goes south.\n');
  await world.go('health');
  const card = page.getByRole('article', { name: 'Conflict of plans.md' });
  await card.getByText('goes north').waitFor();
  await card.getByText('goes south').waitFor();
  const copy = path.join(world.vault, 'plans.loci-conflict-20260101T000000Z.md');
  await card.getByRole('button', { name: 'Remove the copy' }).click();
  await until(() => !fs.existsSync(copy), 'the copy to go');
  await told('The copy is removed');
  await undo();
  await until(() => fs.existsSync(copy), 'the copy to come back');
  assert.equal(fs.readFileSync(copy, 'utf8'), 'The tour goes south.\n');
  await card.getByRole('button', { name: 'Merge them' }).click();
  await told('What only the copy said stands in the file now');
  await undo();
  await until(() => fs.existsSync(copy), 'the copy to come back once more');
  assert.equal(world.read('plans.md'), 'The tour goes north.\n');
  await card.getByRole('button', { name: 'Merge them' }).click();
  await until(() => !fs.existsSync(copy), 'the copy to go into its file');
  assert.match(world.read('plans.md'), /goes north[\s\S]*goes south|goes south[\s\S]*goes north/);
});

test('of two pictures, or settings, one is chosen whole, and the choice taken back', async () => {
  const picture = (last) => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, last]);
  const copies = [
    ['sketches/boat.png', 'sketches/boat.sync-conflict-20260101-000000-ABCDEFG.png', picture(1), picture(2)],
    ['.loci/config.toml', '.loci/config.sync-conflict-20260101-000000-ABCDEFG.toml', Buffer.from('[recall]\nlimit = 7\n'), Buffer.from('[recall]\nlimit = 9\n')],
    ['lost.csv', 'lost.sync-conflict-20260101-000000-ABCDEFG.csv', null, Buffer.from('a,b\n1,2\n')],
  ];
  const bytesOf = (name) => { try { return fs.readFileSync(path.join(world.vault, name)); } catch { return null; } };
  await world.go('health');
  for (const [file, copy, mine, theirs] of copies) {
    if (mine) world.write(file, mine);
    world.write(copy, theirs);
    const card = page.getByRole('article', { name: `Conflict of ${file}` }); // appears by itself
    const isAsBefore = () => bytesOf(copy)?.equals(theirs) && (mine ? bytesOf(file)?.equals(mine) : !bytesOf(file));
    await card.getByRole('button', { name: 'Keep mine' }).click();
    await told('The copy is removed');
    assert.equal(bytesOf(copy), null);
    await undo();
    await until(isAsBefore, `${file} and its copy`);
    assert.equal(await card.getByRole('button', { name: 'Merge them' }).count(), 0);
    await card.getByRole('button', { name: 'Take the copy' }).click();
    await told('The copy stands in its place now');
    assert.ok(bytesOf(file).equals(theirs));
    assert.equal(bytesOf(copy), null);
    await undo();
    await until(isAsBefore, `${file} and its copy once more`);
    await card.getByRole('button', { name: 'Take the copy' }).click();
    await until(() => bytesOf(copy) === null && bytesOf(file)?.equals(theirs), 'the copy in its place');
    await card.waitFor({ state: 'detached' });
  }
  assert.equal(world.json('config', 'recall.limit').settings[0].value, '9');
});

test("git's conflict is merged, and stands again when that is taken back", async () => {
  const conflict = 'Packing.\n\n<<<<<<< HEAD\nThe tent is green.\n=======\nThe tent is blue.\n>>>>>>> phone\n';
  world.write('packing.md', conflict);
  await world.go('health');
  const card = page.getByRole('article', { name: 'Question about packing.md' });
  await card.locator('.side', { hasText: 'Ours' }).getByText('The tent is green.').waitFor();
  for (const [name, lines] of [['Take theirs', ['The tent is blue.']], ['Take ours', ['The tent is green.']], ['Keep both', ['The tent is green.', 'The tent is blue.']]]) {
    await card.getByRole('button', { name }).click();
    await told('Put together'); // until then Undo is that of the answer before
    assert.deepEqual(world.read('packing.md').split(/\n+/).filter(Boolean), ['Packing.', ...lines], name);
    await undo();
    await until(() => world.read('packing.md') === conflict, 'the markers again');
  }
  await card.getByRole('button', { name: 'Keep both' }).click();
  await told('Put together');
});

test('an answer is not taken back over what was saved since, and the page says so', async () => {
  const copy = 'plans.loci-conflict-20260102T000000Z.md';
  world.write(copy, 'The tour goes by boat.\n');
  await page.getByRole('article', { name: 'Conflict of plans.md' }).getByRole('button', { name: 'Merge them' }).click();
  await told('What only the copy said stands in the file now');
  const since = `${world.read('plans.md')}And home again.\n`;
  world.write('plans.md', since);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await told(/could not be undone: plans.md has changed/);
  assert.equal(world.read('plans.md'), since);
});

test('a copy that a sync leaves while Health is open appears, and goes when it is gone', async () => {
  world.write('route.md', 'The route is long.\n');
  await until(() => world.json('search', 'route').hits.length === 1, 'the note to be read');
  await world.settled();
  const copy = 'route.sync-conflict-20260101-000000-ABCDEFG.md';
  world.write(copy, 'The route is short.\n');
  const card = page.getByRole('article', { name: 'Conflict of route.md' });
  await card.getByText('is short').waitFor();
  fs.rmSync(path.join(world.vault, copy));
  await card.waitFor({ state: 'detached' });
});

test('of two tabs that answer one question the second is told what was answered', async () => {
  const copy = 'camp.sync-conflict-20260101-000000-ABCDEFG.md';
  world.write('camp.md', 'The camp is by the lake.\n');
  world.write(copy, 'The camp is on the hill.\n');
  const card = page.getByRole('article', { name: 'Conflict of camp.md' });
  await card.getByText('on the hill').waitFor();
  // The other tab is quicker: this one has not heard of it yet.
  await page.route((url) => url.pathname === '/memory/conflicts', async (route) => {
    const headers = { ...route.request().headers(), cookie: (await page.context().cookies()).map((one) => `${one.name}=${one.value}`).join('; ') };
    await route.fetch({ headers, postData: JSON.stringify({ file: copy, action: 'merge' }) });
    await route.continue();
  });
  await card.getByRole('button', { name: 'Remove the copy' }).click();
  await told(/Nothing was changed: this was answered already, on .*: merged/);
  await page.unrouteAll();
  await card.waitFor({ state: 'detached' });
  assert.match(world.read('camp.md'), /by the lake[\s\S]*on the hill|on the hill[\s\S]*by the lake/);
});
