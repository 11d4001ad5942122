// A daemon that dies and returns, and a person without a mouse.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;

before(async () => {
  for (const text of ['The lighthouse keeper sleeps until noon.', 'The lighthouse lamp needs new oil.', 'Foghorn tests are on Wednesdays.']) world.add(text);
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

test('whoever listens on the port meanwhile gets no key', async () => {
  const { createServer } = await import('node:http');
  const port = Number(new URL(page.url()).port);
  await world.stopDaemon();
  const heard = [];
  const impostor = createServer((request, response) => {
    heard.push({ url: request.url, key: request.headers['x-loci-key'] });
    response.setHeader('Content-Type', 'application/json');
    response.end('{"proof":"0"}');
  });
  await page.getByText('connection lost').waitFor();
  await new Promise((done) => impostor.listen(port, '127.0.0.1', done));
  await until(() => heard.length >= 2, 'the page to ask', 30000);
  assert.ok(heard.every((one) => one.key === undefined && one.url.startsWith('/login')), JSON.stringify(heard));
  impostor.closeAllConnections();
  await new Promise((done) => impostor.close(done));
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
});

test('a page that is reloaded from whoever took the port finds no key there', async () => {
  const { createServer } = await import('node:http');
  const { origin, port } = new URL(page.url());
  const stored = () => page.evaluate(() => JSON.stringify({ ...window.sessionStorage, ...window.localStorage }));
  const key = await page.evaluate(() => sessionStorage.getItem('loci-key'));
  assert.match(key, /^[0-9a-f]{64}$/);
  await world.stopDaemon('SIGKILL');
  await page.getByText('connection lost').waitFor();
  const heard = [];
  const impostor = createServer((request, response) => {
    heard.push(JSON.stringify(request.headers) + request.url);
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>impostor</title>');
  });
  await new Promise((done) => impostor.listen(Number(port), '127.0.0.1', done));
  await page.unrouteAll();
  await page.goto(`${origin}/?again`);
  assert.equal(await page.title(), 'impostor');
  assert.ok(!(await stored()).includes(key), 'the key is stored where the impostor reads');
  assert.ok(heard.length > 0 && heard.every((one) => !one.includes(key)), 'the key was sent');
  impostor.closeAllConnections();
  await new Promise((done) => impostor.close(done));
});

test('a reload goes on with the login that the tab has', async () => {
  await world.startDaemon();
  const again = await world.open();
  for (let i = 0; i < 5; i++) {
    await again.reload();
    await again.getByText('up to date').waitFor();
  }
  await world.search('lighthouse');
  await again.getByLabel('Results').getByRole('link').first().waitFor();
});
