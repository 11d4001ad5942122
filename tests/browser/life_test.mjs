// A daemon that dies and returns, and a person without a mouse.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;

before(async () => {
  for (const text of ['The lighthouse keeper sleeps until noon.', 'The lighthouse lamp needs new oil.']) world.add(text);
  world.add('Foghorn tests are on Wednesdays.', '--project', 'east pier');
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

const focused = () => page.evaluate(() => document.activeElement?.innerText || document.activeElement?.tagName);

test('everything can be done with the keyboard alone', async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('lighthouse');
  await page.getByLabel('Results').getByRole('link').first().waitFor();
  await page.keyboard.press('Enter');
  await until(async () => /lighthouse/.test(await focused()), 'the first hit to have the focus');
  const first = await focused();
  await page.keyboard.press('j');
  await until(async () => (await focused()) !== first, 'the next hit to have the focus');
  await page.keyboard.press('k');
  await until(async () => (await focused()) === first, 'the first hit to have it again');
  await page.keyboard.press('Enter');
  const entry = page.getByRole('region', { name: 'Entry' });
  await entry.getByRole('button', { name: 'Forget' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await entry.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.keyboard.press('End');
  await page.keyboard.type(' Really.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const texts = world.json('search', 'lighthouse').hits.map((hit) => hit.text);
  assert.ok(texts.some((text) => text.includes('Really.')), texts.join(' | '));
  await page.keyboard.press('Escape');
  await until(async () => (await entry.count()) === 0, 'the entry to close');
});

test('completion offers what a query can say', async () => {
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('so');
  await page.getByRole('option', { name: 'source:' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('us');
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'source:user ');
  for (const begun of ['project:ea', 'project:"EAS']) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(begun);
    await page.getByRole('option', { name: 'east pier' }).first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('tests');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'project:"east pier" tests');
    await page.getByLabel('Results').getByText('Foghorn tests are on Wednesdays.').waitFor();
  }
});

test('what is offered goes with the focus, and does not go later from whoever came back', async () => {
  const box = page.getByRole('searchbox');
  await box.fill('');
  await box.pressSequentially('so');
  await page.getByRole('option', { name: 'source:' }).waitFor();
  assert.ok(await box.evaluate(async (element) => {
    element.blur();
    await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
    return document.getElementById('suggestions').hidden;
  }));
});

test('what a query can say is completed though it is known later than it is typed, and not once it was put away', async () => {
  const late = await world.open();
  const held = [];
  let isLate = true;
  await late.route((url) => url.pathname === '/memory/values', async (route) => {
    if (isLate) await new Promise((done) => { held.push(done); });
    await route.continue();
  });
  await late.reload();
  const box = late.getByRole('searchbox'), option = late.getByRole('option', { name: 'project:"east pier"' });
  await box.fill('');
  await box.pressSequentially('project:e');
  await until(() => held.length > 0, 'the page to ask');
  assert.equal(await option.count(), 0);
  isLate = false;
  for (const tell of held) tell();
  await option.waitFor();
  await box.press('Escape');
  await option.waitFor({ state: 'hidden' });
  world.add('The tide turns at four.');
  await late.getByText('up to date').waitFor();
  await world.settled();
  assert.equal(await option.count(), 0);
  await late.context().close();
  world.page = page;
});

test('a daemon that dies is noticed, costs no words, and is found again', async () => {
  const entry = await world.openEntry('Foghorn tests are on Wednesdays.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('Foghorn tests are on Thursdays.');
  await world.stopDaemon('SIGKILL');
  await page.getByText('connection lost').waitFor();
  await entry.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('does not answer').waitFor();
  assert.equal(await entry.getByRole('textbox', { name: 'Text' }).inputValue(), 'Foghorn tests are on Thursdays.');
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  await entry.getByRole('button', { name: 'Save' }).click();
  await until(() => world.json('search', 'foghorn').hits[0].text === 'Foghorn tests are on Thursdays.', 'the edit in the files');
});

test('a page that is older than the daemon says so, loads no code of the other version, and is loaded anew', async () => {
  const old = await world.open();
  await world.go('memory');
  await old.getByRole('list', { name: 'Entries' }).waitFor();
  const code = [];
  old.on('request', (request) => code.push(new URL(request.url()).pathname));
  await world.stopDaemon();
  await old.route((url) => url.pathname === '/login', async (route) => {
    const cookie = (await old.context().cookies()).map((one) => `${one.name}=${one.value}`).join('; ');
    const response = await route.fetch({ headers: { ...route.request().headers(), cookie } }).catch(() => null);
    return response ? route.fulfill({ response, json: { ...await response.json(), page: 'another' } }) : route.abort();
  });
  await world.startDaemon();
  const told = old.getByRole('alert').filter({ hasText: 'another version' });
  await told.waitFor();
  await world.go('settings');
  await world.settled();
  assert.ok(!code.includes('/settings.js'), 'code that does not fit');
  await told.getByRole('button', { name: 'Load the page anew' }).click();
  await old.getByRole('heading', { name: 'Settings' }).waitFor();
  assert.equal(await told.count(), 0);
  await old.context().close();
  world.page = page;
});

test('a reload goes on with the login that the tab has', async () => {
  const again = await world.open();
  for (let i = 0; i < 5; i++) {
    await again.reload();
    await again.getByText('up to date').waitFor();
  }
  await world.search('lighthouse');
  await again.getByLabel('Results').getByRole('link').first().waitFor();
});
