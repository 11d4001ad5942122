// A change whose answer is lost, or that meets no daemon: what was done can be undone, and an Undo is there until it is known what
// became of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fs from 'node:fs';
import path from 'node:path';
import { correctOnTwoMachines } from './lived_in.mjs';
import { World, until } from './world.mjs';

const world = new World();
let page;
let entry;

const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const found = (text) => world.json('search', '--', text).hits.map((hit) => hit.text);
const undone = async () => {
  await button('Undo').click();
  await told('Undone');
};

// The daemon does the next request of this kind, and its answer does not arrive.
const loseAnswer = (method, part) => page.evaluate(([wanted, end]) => {
  const own = window.fetch;
  window.fetch = async (target, options) => {
    const answer = await own(target, options);
    if (options?.method !== wanted || !String(target).split('?')[0].endsWith(end)) return answer;
    window.fetch = own;
    throw new TypeError('the answer is lost');
  };
}, [method, part]);

// What the page asks to be changed from now on.
function changes() {
  const asked = [];
  page.on('request', (request) => request.method() !== 'GET' && !request.url().includes('/login') && asked.push(request.method()));
  return asked;
}

async function correct(text, words) {
  entry = await world.openEntry(text);
  await entry.getByRole('button', { name: 'Correct' }).click();
  await entry.getByRole('textbox', { name: 'What is right' }).fill(words);
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Corrected');
}

before(async () => {
  for (const text of ['The mill grinds on Mondays.', 'The weir was built in 1890.', 'The ferry costs two coins.', 'The tower has nine floors.', 'The bridge is closed in March.', 'The granary is full.']) world.add(text);
  world.turn('harvest', 'When do we mow? I prefer the first of June.', 'On the first of June.');
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('an Undo is one request, and says done when it is asked for again because its answer was lost', async () => {
  await correct('The mill grinds on Mondays.', 'The mill grinds on Tuesdays.');
  const asked = changes();
  await loseAnswer('POST', '/restore');
  await button('Undo').click();
  await told('It is not known to be undone');
  await page.getByText('up to date').waitFor();
  assert.deepEqual(found('mill'), ['The mill grinds on Mondays.']);
  await undone();
  assert.equal(asked.length, 1);
  assert.deepEqual(found('mill'), ['The mill grinds on Mondays.']);
});

test('an Undo that meets a dead daemon stays, and works when the daemon is back', async () => {
  await correct('The weir was built in 1890.', 'The weir was built in 1891.');
  await world.stopDaemon('SIGKILL');
  await page.getByText('connection lost').waitFor();
  await button('Undo').click();
  await told('It is not known to be undone');
  assert.deepEqual(found('weir'), ['The weir was built in 1891.']);
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  await undone();
  assert.deepEqual(found('weir'), ['The weir was built in 1890.']);
});

test('what is promoted stands in MEMORY.md as it stood when a change of it is undone', async () => {
  entry = await world.openEntry('The ferry costs two coins.');
  await entry.getByRole('button', { name: 'Promote' }).click();
  await told('It stands in MEMORY.md now');
  const core = world.read('MEMORY.md');
  assert.match(core, /two coins/);
  for (const [way, box, said] of [['Correct', 'What is right', 'Corrected'], ['Edit', 'Text', 'Saved']]) {
    entry = await world.openEntry('The ferry costs two coins.');
    await entry.getByRole('button', { name: way, exact: true }).click();
    await entry.getByRole('textbox', { name: box }).fill('The ferry costs three coins.');
    await entry.getByRole('button', { name: 'Save' }).click();
    await told(said);
    assert.match(world.read('MEMORY.md'), /three coins/, way);
    await undone();
    assert.equal(world.read('MEMORY.md'), core, way);
    assert.deepEqual(found('ferry'), ['The ferry costs two coins.'], way);
  }
});

test('a change whose answer is lost is told of when the daemon is back, and can be undone', async () => {
  const core = world.read('MEMORY.md');
  entry = await world.openEntry('The tower has nine floors.');
  await loseAnswer('POST', '/promote');
  await entry.getByRole('button', { name: 'Promote' }).click();
  await told('It stands in MEMORY.md now');
  assert.match(world.read('MEMORY.md'), /nine floors/);
  await undone();
  assert.equal(world.read('MEMORY.md'), core);

  const id = world.json('search', 'tower').hits[0].id;
  await loseAnswer('DELETE', id);
  await entry.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told('Forgotten');
  assert.deepEqual(found('tower'), []);
  await undone();
  assert.deepEqual(found('tower'), ['The tower has nine floors.']);

  world.loci(['forget', id]);
  await loseAnswer('POST', '/restore');
  await entry.getByRole('button', { name: 'Restore' }).click();
  await told('It counts again');
  await undone();
  assert.deepEqual(found('tower'), []);
});

test('a conversation that was summed up, and a run, can be undone though their answers were lost', async () => {
  await world.go('conversations?session=harvest');
  await button('End and sum up').waitFor();
  await loseAnswer('POST', '/end');
  await button('End and sum up').click();
  await told('The conversation is summed up');
  const summaries = () => world.json('session', 'harvest').entries.filter((one) => one.kind === 'session-summary').length;
  assert.equal(summaries(), 1);
  await undone();
  assert.equal(summaries(), 0);

  await world.go('consolidation');
  const memory = world.read('consolidated/memory.md');
  await loseAnswer('POST', '/consolidate');
  await button('Run now').click();
  await told('A run is done');
  assert.notEqual(world.read('consolidated/memory.md'), memory);
  await undone();
  assert.equal(world.read('consolidated/memory.md'), memory);
});

test('what only a person can answer is known to be answered though the answer to that is lost, and so is its Undo', async () => {
  const copy = 'weather.sync-conflict-20260101-000000-ABCDEFG.md';
  const lines = ['The wind is from the west.\n', 'The wind is from the east.\n'];
  const stand = () => [world.read('weather.md'), fs.existsSync(path.join(world.vault, copy)) && world.read(copy)];
  world.write('weather.md', lines[0]);
  world.write(copy, lines[1]);
  await world.go('health');
  const card = page.getByRole('article', { name: 'Conflict of weather.md' });
  for (const [name, said, there] of [['Remove the copy', 'The copy is removed', 1], ['Merge them', 'What only the copy said stands in the file now', 2]]) {
    await loseAnswer('POST', '/conflicts');
    await card.getByRole('button', { name }).click();
    await told(said);
    assert.deepEqual([world.read('weather.md').trim().split('\n\n').length, stand()[1]], [there, false]);
    await loseAnswer('POST', '/undo');
    await button('Undo').click();
    await told('It is not known to be undone');
    await page.getByText('up to date').waitFor();
    assert.deepEqual(stand(), lines);
    await undone();
    assert.deepEqual(stand(), lines);
    await card.waitFor();
  }
  for (const name of ['weather.md', copy]) fs.rmSync(path.join(world.vault, name));
});

test('which of two corrections is right is known to be decided though the answer is lost', async () => {
  const texts = ['The ferry costs four coins.', 'The ferry costs five coins.'];
  correctOnTwoMachines(world, 'ferry', texts);
  await world.go('health');
  await loseAnswer('DELETE', '');
  await page.getByRole('article', { name: 'Two corrections' }).locator('.side', { hasText: 'four' }).getByRole('button', { name: 'This one' }).click();
  await told('The other version is forgotten');
  assert.deepEqual(found('ferry'), [texts[0]]);
  await undone();
  assert.deepEqual(found('ferry').sort(), [...texts].sort());
});

test('what was not done is said to be not done', async () => {
  entry = await world.openEntry('The granary is full.');
  await page.evaluate(() => {
    const own = window.fetch;
    window.fetch = (target, options) => {
      if (!String(target).endsWith('/promote')) return own(target, options);
      window.fetch = own;
      return Promise.reject(new TypeError('it does not arrive'));
    };
  });
  await entry.getByRole('button', { name: 'Promote' }).click();
  await entry.getByText('The daemon did not answer, and nothing was changed').waitFor();
  assert.doesNotMatch(world.read('MEMORY.md'), /granary/);
});

test('a notice takes no Undo away, and of two changes both can be undone, the last one first', async () => {
  await correct('The granary is full.', 'The granary is empty.');
  await correct('The bridge is closed in March.', 'The bridge is closed in April.');
  await page.context().grantPermissions(['clipboard-write']);
  await page.getByRole('button', { name: /archive\/.*:\d+/ }).first().click();
  await told('Copied');
  await undone();
  assert.deepEqual(found('bridge'), ['The bridge is closed in March.']);
  assert.deepEqual(found('granary'), ['The granary is empty.']);
  await button('Undo').click();
  await until(() => found('granary')[0] === 'The granary is full.', 'the first change to be undone');
});

test('a notice and its Undo end after ten seconds, and not while the connection is lost', async () => {
  const tenSecondsGo = () => page.evaluate(() => window.tenSecondsGo());
  await correct('The mill grinds on Mondays.', 'The mill grinds on Sundays.');
  await world.stopDaemon('SIGKILL');
  await page.getByText('connection lost').waitFor();
  await tenSecondsGo();
  assert.equal(await button('Undo').count(), 1);
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  await tenSecondsGo();
  await until(async () => (await page.locator('.toast-box').count()) === 0, 'the notice to go');
  await page.keyboard.press('Control+z');
  assert.deepEqual(found('mill'), ['The mill grinds on Sundays.']);
});
