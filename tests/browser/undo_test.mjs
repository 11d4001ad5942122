// What Undo takes back, and what it leaves alone because somebody has written since. The files tell.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fs from 'node:fs';
import path from 'node:path';
import { World, until } from './world.mjs';

const world = new World();
let page;
let entry;

const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const found = (text) => world.json('search', '--', text).hits.map((hit) => hit.text);
const idOf = (text) => world.json('search', '--', text).hits[0].id;
const undo = () => button('Undo').click();
const undone = async () => {
  await undo();
  await told('Undone');
};
const user = '# User\n\nAnna keeps bees.\n\nAnna reads at night.\n\nAnna walks to work.\n';

async function change(text, way, box, words) {
  entry = await world.openEntry(text);
  await entry.getByRole('button', { name: way, exact: true }).click();
  await entry.getByRole('textbox', { name: box }).fill(words);
  await entry.getByRole('button', { name: 'Save' }).click();
  await told(way === 'Edit' ? 'Saved' : 'Corrected');
}

async function openLine(text) {
  await world.go(`search?entry=${encodeURIComponent(idOf(text))}`);
  entry = page.getByRole('region', { name: 'Entry' });
  await entry.locator('.entry-text').getByText(text).waitFor();
}

before(async () => {
  for (const text of ['The mill grinds on Mondays.', 'The weir was built in 1890.', 'The ferry costs two coins.', 'The tower has nine floors.', 'The bridge is closed in March.', 'The granary is full.']) world.add(text);
  world.write('user.md', user);
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('a correction that somebody has changed since is not taken back, and the page says what they wrote', async () => {
  await change('The mill grinds on Mondays.', 'Correct', 'What is right', 'The mill grinds on Tuesdays.');
  world.loci(['edit', idOf('mill'), '--text', 'The mill grinds on Fridays.']);
  await undo();
  await told(/It could not be undone.*The mill grinds on Fridays/);
  assert.deepEqual(found('mill'), ['The mill grinds on Fridays.']);
});

test('an edit is not taken back over what somebody has written or tagged since', async () => {
  await change('The weir was built in 1890.', 'Edit', 'Text', 'The weir was built in 1891.');
  world.loci(['edit', idOf('weir'), '--text', 'The weir was built in 1892.']);
  await undo();
  await told(/It could not be undone.*The weir was built in 1892/);
  assert.deepEqual(found('weir'), ['The weir was built in 1892.']);
  await change('The weir was built in 1892.', 'Edit', 'Text', 'The weir was built in 1893.');
  world.loci(['edit', idOf('weir'), '--tag', 'river']);
  await undo();
  await told(/It could not be undone.*/);
  assert.deepEqual(found('weir'), ['The weir was built in 1893.']);
  assert.equal(world.json('list', '--tag', 'river').entries.length, 1);
});

test('what was forgotten here and restored by somebody, who then corrected it, stays as they said it', async () => {
  const id = idOf('granary');
  entry = await world.openEntry('The granary is full.');
  await entry.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told(/Forgotten/);
  world.loci(['restore', id]);
  world.loci(['correct', id, 'The granary is empty.']);
  await undo();
  await told(/It could not be undone.*The granary is empty/);
  assert.deepEqual(found('granary'), ['The granary is empty.']);
});

test('what was restored and then changed by somebody is not forgotten again', async () => {
  const id = idOf('ferry');
  world.loci(['forget', id]);
  await world.go(`search?entry=${id}`);
  entry = page.getByRole('region', { name: 'Entry' });
  await entry.getByRole('button', { name: 'Restore' }).click();
  await told('It counts again');
  world.loci(['edit', idOf('ferry'), '--text', 'The ferry costs three coins.']);
  await undo();
  await told(/It could not be undone.*three coins/);
  assert.deepEqual(found('ferry'), ['The ferry costs three coins.']);
});

test('what somebody has taken out of MEMORY.md since is not taken back as if it stood there', async () => {
  entry = await world.openEntry('The tower has nine floors.');
  await entry.getByRole('button', { name: 'Promote' }).click();
  await told('It stands in MEMORY.md now');
  const offers = async (name) => (await entry.getByRole('button', { name, exact: true }).count()) === 1;
  await until(() => offers('Demote'), 'the page to know that it stands there');
  world.write('MEMORY.md', world.read('MEMORY.md').replace(/^.*nine floors.*\n/m, ''));
  await until(() => offers('Promote'), 'the page to know that it was taken out');
  await undo();
  await told('It could not be undone: somebody has done that already');
});

test('a line of user.md that was edited, corrected or forgotten is there again as it was', async () => {
  for (const way of ['Edit', 'Correct']) {
    await openLine('Anna reads at night.');
    await entry.getByRole('button', { name: way, exact: true }).click();
    await entry.getByRole('textbox').first().fill('Anna reads at dawn.');
    await entry.getByRole('button', { name: 'Save' }).click();
    await told(way === 'Edit' ? 'Saved' : 'Corrected');
    assert.equal(world.read('user.md'), user.replace('at night', 'at dawn'));
    await undone();
    assert.equal(world.read('user.md'), user, way);
    assert.ok(found('reads').includes('Anna reads at night.'), way);
  }
  await openLine('Anna reads at night.');
  await entry.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told('Forgotten');
  const asked = [];
  page.on('request', (request) => request.method() === 'GET' || asked.push(new URL(request.url()).pathname));
  await undone();
  assert.deepEqual(asked.filter((one) => !one.endsWith('/restore')), [], 'it is one change');
  assert.equal(asked.length, 1);
  assert.ok(found('reads').includes('Anna reads at night.'));
  assert.equal(world.read('user.md'), user);
});

test('a line of user.md that was forgotten stands again beside what somebody has written in it since', async () => {
  await openLine('Anna keeps bees.');
  await entry.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told('Forgotten');
  world.write('user.md', `${world.read('user.md')}\nAnna bakes on Mondays.\n`);
  await until(() => found('bakes').length === 1, 'the new line');
  await undone();
  assert.equal(world.read('user.md'), `${user}\nAnna bakes on Mondays.\n`);
});

test('an undo in user.md leaves what somebody has written elsewhere in it', async () => {
  world.write('user.md', user);
  await until(() => found('bees').includes('Anna keeps bees.'), 'the line');
  await openLine('Anna keeps bees.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox').first().fill('Anna keeps geese.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  world.write('user.md', `${world.read('user.md')}\nAnna bakes.\n`);
  await until(() => found('bakes').length === 1, 'the new line');
  await undone();
  assert.equal(world.read('user.md'), `${user}\nAnna bakes.\n`);
});

test('a user.md that somebody took away goes again when what was kept of it is taken back', async () => {
  world.write('user.md', user);
  await world.go('memory?layer=L0');
  await page.getByText('Anna walks to work.').first().waitFor();
  await button('Edit user.md').click();
  await page.getByRole('textbox', { name: 'user.md' }).fill('# User\n\nAnna rides to work.\n');
  fs.rmSync(path.join(world.vault, 'user.md'));
  await button('Save').click();
  await button('Keep mine').click();
  await told('Saved user.md');
  assert.equal(world.read('user.md'), '# User\n\nAnna rides to work.\n');
  await undone();
  assert.equal(fs.existsSync(path.join(world.vault, 'user.md')), false);
});

test('a setting that was the default is not set any more when it is taken back, and one that somebody has set since stays', async () => {
  const config = '.loci/config.toml';
  const saved = world.read(config);
  await world.go('settings');
  const box = page.getByRole('textbox', { name: 'recall.limit' });
  const shows = (value) => until(async () => (await box.inputValue()) === value, `the page to show ${value}`);
  const begun = () => world.log().split('the panel listens on').length;
  const daemonAnew = async (act) => {
    const known = begun();
    await act();
    await until(() => begun() > known, 'the daemon to begin anew');
    await page.getByText('up to date').waitFor();
  };
  const save = (value) => daemonAnew(async () => {
    await box.fill(value);
    await box.press('Enter');
    await told(`recall.limit is ${value}`);
  });
  await box.waitFor();
  const usual = await box.inputValue();
  await save('9');
  assert.match(world.read(config), /limit = 9/);
  await daemonAnew(undone);
  assert.equal(world.read(config), saved);
  await shows(usual);
  await save('9');
  world.loci(['config', 'recall.limit', '11']);
  // As the page asks for it, but again and again: the daemon begins anew.
  const answer = await until(() => page.evaluate(async (body) => {
    const headers = { 'X-Loci-Key': sessionStorage.getItem('loci-key'), 'Content-Type': 'application/json' };
    const response = await fetch('/memory/settings', { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null);
    return response && response.status !== 401 && response.status !== 503 ? { status: response.status, text: await response.text() } : null;
  }, { key: 'recall.limit', value: null, if: '9' }), 'an answer');
  assert.equal(answer.status, 409);
  assert.match(answer.text, /it is 11 now/);
  assert.match(world.read(config), /limit = 11/);
});
