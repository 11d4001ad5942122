// Who else could read or write: another origin and port in the same browser, who finds the address, a text that wants to run.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { hostileTexts } from './hostile_texts.mjs';
import { World, until } from './world.mjs';

const world = new World();
let page;
let own;

before(async () => {
  world.add('The alarm code is written on the back of the map.');
  const lines = hostileTexts.map((text, i) => JSON.stringify({ text: `${text} number ${i}`, tags: [`t${text.replace(/[\s,]/g, '')}`.slice(0, 60)], project: text.slice(0, 80), session: text.slice(0, 100), category: 'x' }));
  world.loci(['add', '--jsonl', '-'], `${lines.join('\n')}\n`);
  world.write('notes/<img src=x onerror=window.loci_was_here=1>.md', `# <script>window.loci_was_here=1</script>\n\n${hostileTexts.join('\n\n')}\n`);
  world.write('long.md', `One line of a megabyte: ${'<b>x</b>'.repeat(125000)}\n`);
  world.loci(['consolidate', '--force']);
  world.write('notes/plan.md', `# Plan\n\n${hostileTexts.slice(0, 100).join('\n\n')}\n`);
  world.write('notes/plan.sync-conflict-20260101-000000-ABCDEFG.md', `# Plan\n\n${hostileTexts.slice(100).join('\n\n')}\n`);
  world.write('consolidated/former.md', `# Former\n\n<!--m ${JSON.stringify({ id: 'c-former', source: 'user', history: hostileTexts.slice(0, 15).map((text) => ({ day: '2026-01-02', text })) }).replaceAll('-->', '')}-->\nIt was otherwise before.\n`);
  for (const text of hostileTexts.slice(0, 8)) world.loci(['search', '--', text]);
  world.write('user.md', `# User\n\n${hostileTexts[0]}\n`);
  await world.startDaemon();
  page = await world.open();
  own = new URL(page.url()).origin;
});

after(() => world.close());

const wasRun = () => page.evaluate(() => 'loci_was_here' in window);

test('two hundred hostile texts are there', () => assert.equal(hostileTexts.length, 200));

test('no text runs in the results, in an entry, in its history or while it is edited', async () => {
  for (const query of ['number', 'plain words', 'item', 'script', 'javascript', 'megabyte']) {
    await world.search(query);
    await page.getByLabel('Results').getByRole('link').first().waitFor();
    assert.equal(await wasRun(), false, query);
  }
  const ids = world.json('list', '--limit', '1000').entries.map((one) => one.id);
  for (const id of ids.filter((_, i) => i % 4 === 0)) {
    await world.go(`search?entry=${id}`);
    await page.locator('section[aria-label=Entry] .facts').waitFor();
    assert.equal(await wasRun(), false, id);
  }
  const entry = page.getByRole('region', { name: 'Entry' });
  await entry.getByRole('button', { name: 'History' }).click();
  await entry.getByText('Versions').waitFor();
  assert.equal(await page.locator('main img, main iframe, main script, main svg:not(.plot), main form[action]').count(), 0);
  const schemes = await page.locator('main a').evaluateAll((links) => [...new Set(links.map((link) => link.protocol))]);
  for (const scheme of schemes) assert.ok(['http:', 'https:', 'mailto:'].includes(scheme), scheme);
  assert.equal(await wasRun(), false);
});

test('no text runs in any view', async () => {
  for (const view of ['memory', 'memory?layer=L0', 'memory?layer=L2', 'conversations', 'consolidation', 'used', 'health', 'settings']) {
    await world.go(view);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await world.settled();
    assert.equal(await wasRun(), false, view);
  }
  const { runs } = world.json('log');
  assert.ok(runs.length > 0);
  await world.go(`consolidation?run=${encodeURIComponent(runs[0].run)}`);
  await page.getByText('Rests on').first().waitFor();
  await world.go('health');
  await page.getByRole('article', { name: 'Conflict of notes/plan.md' }).waitFor();
  await world.go('memory?entry=c-former');
  await page.getByRole('region', { name: 'Entry' }).getByRole('button', { name: 'History' }).click();
  await page.getByText('Versions').waitFor();
  await world.settled();
  assert.equal(await wasRun(), false);
  const { sessions } = world.json('sessions', '--limit', '20');
  for (const { session } of sessions.slice(0, 10)) {
    await world.go(`conversations?session=${encodeURIComponent(session)}`);
    await page.getByRole('article').first().waitFor();
    assert.equal(await wasRun(), false, session);
  }
});

test('the address works once, and stands in no log and no history', async () => {
  const address = world.address();
  const token = new URL(address).hash.slice(1);
  const other = await page.context().browser().newContext();
  const first = await other.newPage();
  await first.goto(address);
  await first.getByRole('searchbox').waitFor();
  assert.ok(!first.url().includes(token));
  const second = await other.browser().newContext();
  const late = await second.newPage();
  await late.goto(address);
  await late.getByText('not logged in').waitFor();
  assert.equal(await late.locator('#app > *').count(), 1, 'of the page that it would be nothing is left');
  const key = await first.evaluate(() => sessionStorage.getItem('loci-key'));
  const cookies = await other.cookies();
  assert.equal(cookies.length, 1);
  assert.ok(cookies[0].httpOnly && cookies[0].sameSite === 'Strict');
  await other.close();
  await second.close();
  for (const secret of [token, key, cookies[0].value]) assert.deepEqual(world.filesThatHold(secret), [], 'a secret is in a file');
});

test('a cookie without the key, and a key without the cookie, open nothing', async () => {
  const key = await page.evaluate(() => sessionStorage.getItem('loci-key'));
  const ask = (headers, credentials) => page.evaluate(async ([given, mode]) => (await fetch('/memory/search?q=alarm', { headers: given, credentials: mode })).status, [headers, credentials]);
  assert.equal(await ask({ 'X-Loci-Key': key }, 'include'), 200);
  assert.equal(await ask({}, 'include'), 401);
  assert.equal(await ask({ 'X-Loci-Key': key }, 'omit'), 401);
  for (const path of ['/mcp', '/hooks/stop', '/metrics', '/healthz', '/panel']) {
    assert.equal(await page.evaluate(async ([target, value]) => (await fetch(target, { headers: { 'X-Loci-Key': value } })).status, [path, key]), 404, path);
  }
});

test('a page of another port, with the cookie that the browser sends along, can neither read nor write', async () => {
  const referers = [];
  const stranger = http.createServer((request, response) => {
    referers.push(request.headers.referer || '');
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>stranger</title><iframe id=frame></iframe>');
  });
  await new Promise((done) => stranger.listen(0, '127.0.0.1', done));
  const visit = await page.context().newPage();
  await visit.goto(`http://127.0.0.1:${stranger.address().port}/`);
  const stored = world.json('status').facts.total;
  const got = await visit.evaluate(async (origin) => {
    const tries = {};
    const attempt = async (name, run) => {
      try {
        tries[name] = await run();
      } catch {
        tries[name] = 'failed';
      }
    };
    await attempt('read', async () => (await fetch(`${origin}/memory/search?q=alarm`, { credentials: 'include' })).text());
    await attempt('read without cors', async () => (await fetch(`${origin}/memory/search?q=alarm`, { credentials: 'include', mode: 'no-cors' })).type);
    await attempt('write', async () => (await fetch(`${origin}/memory/entries`, { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{"text":"a stranger was here"}' })).status);
    await attempt('simple write', async () => (await fetch(`${origin}/memory/entries`, { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"text":"a stranger was here"}' })).type);
    await attempt('log in', async () => (await fetch(`${origin}/login`, { method: 'POST', mode: 'no-cors', body: '{"token":"0"}' })).type);
    await attempt('script', () => new Promise((done, no) => {
      const script = document.createElement('script');
      script.src = `${origin}/api.js`;
      script.type = 'module';
      script.onload = () => done('loaded');
      script.onerror = () => no(new Error('refused'));
      document.body.append(script);
    }));
    const frame = document.getElementById('frame');
    frame.src = `${origin}/`;
    await new Promise((done) => { frame.onload = done; });
    await attempt('frame', async () => frame.contentDocument?.body?.innerText ?? 'closed');
    return tries;
  }, own);
  assert.equal(got.read, 'failed');
  assert.equal(got.write, 'failed');
  assert.equal(got.script, 'failed');
  assert.ok(['closed', 'failed'].includes(got.frame), got.frame);
  for (const name of ['read without cors', 'simple write', 'log in']) assert.ok(['opaque', 'failed'].includes(got[name]), `${name}: ${got[name]}`);
  assert.equal(world.json('status').facts.total, stored);
  assert.equal(world.json('search', 'stranger was here').hits.filter((hit) => hit.text.includes('stranger')).length, 0);
  assert.ok(referers.every((one) => !one.startsWith(own)), 'an address of the panel was told to another page');
  await visit.close();
  stranger.close();
});

test('no bytes of the page lead to another host', async () => {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  await until(async () => (await wasRun()) === false, 'nothing to have run');
});
