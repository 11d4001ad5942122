// Another program listens where the daemon did. It gets nothing that is secret, and whoever looks at the page learns what to do.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;
let impostor;

const storedKey = () => page.evaluate(() => sessionStorage.getItem('loci-key'));
const told = (text) => page.getByRole('alert').getByText(text);
const looked = (hidden) => world.look(page, hidden);

// Whatever it is asked, it answers the same.
async function takePort(type = 'application/json', answer = '{"proofs":["0"]}', status = 200) {
  const heard = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url, sent: JSON.stringify(request.headers) });
    response.writeHead(status, { 'Content-Type': type });
    response.end(answer);
  });
  await new Promise((done) => server.listen(Number(new URL(page.url()).port), '127.0.0.1', done));
  impostor = { server, heard };
  return heard;
}

async function leavePort() {
  impostor?.server.closeAllConnections();
  await new Promise((done) => { if (impostor) impostor.server.close(done); else done(); });
  impostor = null;
}

// A page that is logged in, of a daemon that is gone.
async function loseDaemon(meanwhile = () => {}) {
  page = await world.open();
  const key = await storedKey();
  assert.match(key, /^[0-9a-f]{64}$/);
  await meanwhile();
  await world.stopDaemon('SIGKILL');
  return key;
}

// The browser asks for the picture of the tab by itself; a cookie goes to every port.
const isSecret = (heard, key) => heard.filter((one) => !/^\/(login\?proof|icon.svg)$/.test(one.url) || (one.url + one.sent).includes(key));

before(async () => {
  world.add('The safe stands behind the stove.');
});

afterEach(async () => {
  await leavePort();
  await page?.context().close();
  page = null;
  await world.stopDaemon('SIGKILL');
});

after(() => world.close());

test('whoever listens on the port meanwhile gets no key, and the page says what to do', async () => {
  await world.startDaemon();
  const key = await loseDaemon();
  await page.getByText('connection lost').waitFor();
  await told('The daemon does not answer').waitFor();
  await told('loci panel').waitFor();
  const heard = await takePort();
  await told('Another program answers').waitFor();
  await told('loci panel').waitFor();
  assert.deepEqual(isSecret(heard, key), []);
  await leavePort();
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(await storedKey(), key);
});

test('nobody who cannot prove to know the login ends it', async () => {
  const answers = [[401, '{"error":{"code":"refused","message":"this page is not logged in"}}'], [200, '{"proofs":[],"ended":["0"]}'], [404, 'null'], [503, '']];
  for (const [status, answer] of answers) {
    await world.startDaemon();
    const key = await loseDaemon();
    const heard = await takePort('application/json', answer, status);
    await told('Another program answers').waitFor();
    await told('loci panel').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await world.search('stove');
    const asked = heard.length;
    await until(() => heard.length > asked + 1, 'the page to ask again');
    assert.deepEqual(isSecret(heard, key), [], `${status} ${answer}`);
    await leavePort();
    await world.startDaemon();
    await page.getByText('up to date').waitFor();
    await page.getByLabel('Results').getByText('behind the stove').waitFor();
    assert.equal(await storedKey(), key);
    await page.context().close();
    await world.stopDaemon('SIGKILL');
  }
});

test('a login that the daemon does not know is not given up, and the page says what to do', async () => {
  await world.startDaemon();
  page = await world.open();
  await world.search('safe');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await world.go('health');
  await told('the daemon that does has no such login').waitFor();
  await told('loci panel').waitFor();
  await page.context().addCookies(cookies);
  await page.getByText('up to date').waitFor();
  await page.context().clearCookies();
  await world.go('settings');
  await told('loci panel').waitFor();
  await page.evaluate((to) => { location.href = to; }, world.address());
  await page.getByText('up to date').waitFor();
  await world.search('safe');
  await page.getByLabel('Results').getByText('behind the stove').waitFor();
});

test('a tab that nobody saw when the daemon ended asks for the proof before anything else', async () => {
  await world.startDaemon();
  const key = await loseDaemon(() => looked(true));
  const heard = await takePort();
  assert.equal(await storedKey(), null, 'a reload would hand it over');
  await looked(false);
  await told('Another program answers').waitFor();
  await page.getByRole('link', { name: 'Health' }).click();
  await world.search('safe');
  await until(() => heard.length > 3, 'the page to have asked');
  assert.deepEqual(isSecret(heard, key), [], 'neither a request nor code of another view');
  await leavePort();
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  await page.getByLabel('Results').getByText('behind the stove').waitFor();
});

test('what a tab asks that nobody sees is asked after the proof', async () => {
  await world.startDaemon();
  const key = await loseDaemon(() => looked(true));
  const heard = await takePort();
  await page.evaluate(() => { location.hash = '#/memory'; });
  await until(() => heard.length > 0, 'the page to ask');
  await page.getByText('connection lost').waitFor();
  assert.deepEqual(isSecret(heard, key), []);
});

test('a machine that slept asks for the proof again', async () => {
  await world.startDaemon();
  page = await world.open();
  await world.search('stove');
  await page.getByLabel('Results').getByText('behind the stove').waitFor();
  await world.settled();
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
  await world.search('safe');
  await until(() => asked.some((one) => one.startsWith('/memory/search')), 'the search');
  assert.ok(!asked.includes('/login?proof'), 'nobody doubts while the events go on');
  await world.settled();
  asked.length = 0;
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 3600000;
  });
  await world.search('stands');
  await until(() => asked.some((one) => one.startsWith('/memory/search')), 'the search');
  assert.equal(asked[0], '/login?proof');
});

test('a page that is reloaded from whoever took the port finds no key there', async () => {
  await world.startDaemon();
  const key = await loseDaemon();
  await page.getByText('connection lost').waitFor();
  const heard = await takePort('text/html', '<!doctype html><title>impostor</title>');
  await page.unrouteAll();
  await page.goto(`${new URL(page.url()).origin}/?again`);
  assert.equal(await page.title(), 'impostor');
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...window.sessionStorage, ...window.localStorage }))).includes(key), 'the key is stored where the impostor reads');
  assert.ok(heard.length > 0 && heard.every((one) => !one.sent.includes(key)), 'the key was sent');
});
