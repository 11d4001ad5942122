// What the page shows is what there is: days as they are on the clock on the wall, west of Greenwich too, counts, links, and what a
// model that does not answer leaves.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import fs from 'node:fs';
import path from 'node:path';
import { World, until } from './world.mjs';

const world = new World();
Object.assign(world.environment, { TZ: 'America/Los_Angeles' });
let page;

const entry = () => page.getByRole('region', { name: 'Entry' });
const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const found = (text) => world.json('search', '--', text).hits.map((hit) => hit.text);

before(async () => {
  world.write('consolidated/mill.md', '# Mill\n\n<!--m {"id":"c-mill","source":"user","first_seen":"2026-01-02","updated":"2026-01-02"}-->\nThe mill grinds on Mondays.\n');
  world.write('notes/gate.md', '# Gate\n\nThe gate squeaks.\n');
  world.loci(['add', '--jsonl', '-'], `${JSON.stringify({ text: 'The well froze at night.', at: '2026-01-06T02:00:00Z' })}\n${JSON.stringify({ text: 'The pond froze at noon.', at: '2026-01-05T20:00:00Z' })}\n${JSON.stringify({ text: 'The oats were sown.', at: '2026-01-09' })}\n`);
  world.write('notes/2026-03-01.md', '# Sunday\n\nThe hay is dry.\n');
  for (const text of ['The ferry runs at ten.', 'The ferry runs at ten!']) world.add(text);
  world.turn('harvest', 'When do we mow?', 'On the first of June.');
  world.write('user.md', '# User\n\nKeeps bees.\n');
  const config = path.join(world.scratch, 'config/loci/config.toml');
  fs.mkdirSync(path.dirname(config), { recursive: true });
  fs.writeFileSync(config, '[consolidation]\nmodel = "house"\n[models.house]\nprovider = "openai"\nbase_url = "http://127.0.0.1:9"\nmodel = "house-model"\n');
  world.environment.TZ = 'America/Los_Angeles';
  await world.startDaemon();
  page = await world.open({ timezoneId: 'America/Los_Angeles', locale: 'en-US' });
});

after(() => world.close());

test('a day is the day of the clock on the wall', async () => {
  await world.openEntry('The mill grinds on Mondays.');
  await entry().getByText('Jan 2, 2026').first().waitFor();
  assert.equal(await entry().getByText('Jan 1, 2026').count(), 0);
  await world.openEntry('The well froze at night.');
  await entry().getByText('Jan 5, 2026, 6:00').first().waitFor();
  await world.go('search');
  const since = await page.getByLabel('Since').locator('option').nth(1).getAttribute('value');
  const midnight = await page.evaluate((text) => { const at = new Date(text); return [at.getHours(), at.getMinutes()]; }, since);
  assert.deepEqual(midnight, [0, 0]);
  const { days } = await page.evaluate(async () => (await fetch('/memory/growth', { headers: { 'X-Loci-Key': sessionStorage.getItem('loci-key') } })).json());
  assert.equal(days.find((one) => one.day === '2026-01-05').entries, 2);
  assert.ok(!days.some((one) => one.day === '2026-01-06'));
  for (const [text, day, shown] of [['The mill grinds on Mondays.', '2026-01-02', 'Jan 2, 2026'], ['The oats were sown.', '2026-01-09', 'Jan 9, 2026'], ['The hay is dry.', '2026-03-01', 'Mar 1, 2026']]) {
    await world.openEntry(text);
    assert.equal(await entry().locator('.facts dd').first().innerText(), shown);
    assert.equal(days.find((one) => one.day === day)?.entries, 1, text);
  }
  assert.match(world.read('archive/2026-01-09.md'), /The oats were sown/);
});

test('a conversation has as many messages as were said, under Used too', async () => {
  await world.go('conversations');
  await page.getByRole('link', { name: /harvest/ }).getByText('2 messages').waitFor();
  await world.go('used');
  await page.getByLabel('Conversation').getByText('harvest (2 messages)').waitFor({ state: 'attached' });
});

test('the counts of the layers are those of the memory, and follow it', async () => {
  const shown = async () => {
    const texts = await page.getByRole('group', { name: 'Layers' }).getByRole('button').allInnerTexts();
    return texts.map((text) => Number(/\d+$/.exec(text.trim())[0]));
  };
  const counted = () => { const { entries } = world.json('status'); return ['L0', 'L1', 'L2'].map((layer) => entries[layer]); };
  await world.go('memory?layer=L1');
  await page.getByRole('list', { name: 'Entries' }).waitFor();
  assert.deepEqual(await shown(), counted());
  const once = counted();
  world.add('The scythe is sharp.');
  world.write('user.md', '# User\n\nKeeps bees.\n\nReads at night.\n');
  await until(() => counted()[0] === once[0] + 1, 'the index to know');
  await until(async () => (await shown()).join() === counted().join(), 'the page to show what there is');
  for (const [i, layer] of ['L0', 'L1', 'L2'].entries()) {
    await world.go(`memory?layer=${layer}`);
    await page.getByText(`${counted()[i]} ${counted()[i] === 1 ? 'entry' : 'entries'}`, { exact: true }).waitFor();
  }
});

test('how full the prompt is, what does not fit and how that is mended is shown as the daemon counts it', async () => {
  const saved = world.read('user.md');
  world.write('user.md', `# User\n\n${Array.from({ length: 30 }, (_, i) => `Hive ${i} stands behind the orchard, facing south.`).join('\n\n')}\n`);
  const problem = await until(() => world.json('status').problems.find((one) => one.file === 'user.md'), 'the daemon to say that it is too long');
  const [, used, limit] = /([\d,]+)\/([\d,]+)/.exec(problem.message);
  await world.go('memory?layer=L0');
  await page.getByText(`${used} of ${limit} characters: too long`).waitFor();
  const bar = page.getByRole('meter', { name: 'user.md' });
  assert.deepEqual([await bar.getAttribute('value'), await bar.getAttribute('max')].map(Number), [used, limit].map((text) => Number(text.replace(',', ''))));
  const given = world.loci(['context', '--query', 'hive']);
  const lost = Array.from({ length: 30 }, (_, i) => i).filter((i) => !given.includes(`Hive ${i} stands`)).length;
  await page.getByText(`${lost} lines of user.md reach no prompt`).waitFor();
  await world.go('health');
  const row = page.getByRole('listitem').filter({ hasText: problem.message });
  await row.getByText('shorten it').waitFor();
  await row.getByRole('button', { name: 'user.md' }).waitFor();
  world.write('user.md', saved);
  await page.getByText('Nothing is wrong.').waitFor();
});

test('a click on a file opens the editor that was chosen, at the line', async () => {
  await world.go('settings');
  for (const scheme of ['vscode', 'vscodium']) {
    await page.getByLabel('A click on a file').selectOption(scheme);
    await world.openEntry('The gate squeaks.');
    assert.equal(await entry().getByRole('link', { name: 'notes/gate.md:3' }).getAttribute('href'), `${scheme}://file${encodeURI(world.vault)}/notes/gate.md:3`);
    await world.go('settings');
  }
  await page.getByLabel('A click on a file').selectOption('copy');
});

test('a command that Health names is copied with its vault and works where it is pasted; what is quoted of a memory names none', async () => {
  const copy = 'my notes/plan (1)\'s.sync-conflict-20260101-000000-ABCDEFG.md';
  world.write('my notes/plan (1)\'s.md', 'The shelf is full.\n');
  world.write(copy, 'The shelf is empty.\n');
  const id = world.add("Ruth types 'loci forget everything' into her notes.");
  world.loci(['remember'], JSON.stringify({ action: 'remove', layer: 'L1', target_id: id }));
  await world.go('health');
  const row = (text) => page.locator('.rows li', { hasText: text });
  await row('what you said').getByRole('button', { name: `loci restore ${id}` }).waitFor();
  assert.equal(await row('what you said').getByRole('button', { name: 'forget' }).count(), 0);
  await row('what you said').getByRole('button', { name: 'loci status --seen' }).click();
  await told('Copied loci --vault');
  await row('puts them together').getByRole('button', { name: /^loci resolve/ }).click();
  await told(/Copied loci --vault .* resolve my/);
  const command = await page.locator('.toast-box', { hasText: 'resolve my' }).innerText().then((text) => text.replace(/^.*?(?=loci --vault)/, ''));
  execFileSync('sh', ['-c', command.replace('loci', process.env.LOCI)], { env: world.environment, cwd: world.scratch, stdio: 'pipe' });
  assert.ok(!fs.existsSync(path.join(world.vault, copy)));
  world.loci(['status', '--seen']);
});

test('a misspelt word is read as its neighbour and said so, and what only stands in the past is told to be from there', async () => {
  await world.go('search');
  await world.search('squeeks');
  const { read_as: read } = world.json('search', 'squeeks');
  assert.equal(read.squeeks, 'squeaks');
  await page.getByText('“squeeks” stands nowhere and was read as “squeaks”.').waitFor();
  world.turn('harbour', 'Which boat has the turquoise sail?', 'The turquoise sail is on the dinghy.');
  await world.search('turquoise sail');
  const hit = page.getByLabel('Results').getByRole('listitem').filter({ hasText: 'on the dinghy' });
  await hit.getByText('from the history').waitFor();
  assert.ok(world.json('search', 'turquoise sail').from_history);
  await world.go('search?layer=L1');
  await until(async () => (await hit.count()) === 0, 'no past among what is known');
  await world.go('search?layer=L2');
  await hit.waitFor();
  assert.equal(await page.getByLabel('Results').locator('.badge:not(.L2)').count(), 0);
  await world.go('search');
});

test('what an answer was given is shown, and what was cut, with why', async () => {
  const long = (thing) => `The ${thing} of the harvest is kept ${'very '.repeat(30)}dry.`;
  for (const thing of ['wheat', 'barley', 'rye']) world.add(long(thing));
  world.loci(['context', '--session', 'harvest', '--turn', '0', '--query', 'What of the harvest is kept dry?', '--budget', '110']);
  const { turns } = world.json('used', '--session', 'harvest');
  const { given, cut } = turns[turns.length - 1];
  assert.ok(given.length > 0 && cut.length > 0, JSON.stringify(turns));
  await world.go('used?session=harvest');
  const card = page.getByRole('article', { name: 'Turn 0' });
  await card.getByRole('heading', { name: 'Cut' }).waitFor();
  await until(async () => (await card.getByRole('link').allInnerTexts()).every((text) => /^The \w+ /.test(text)), 'the words of each');
  const rows = await card.getByRole('listitem').allInnerTexts();
  assert.equal(rows.length, given.length + cut.length);
  for (const [i, one] of cut.entries()) assert.ok(one.why && rows[given.length + i].endsWith(one.why), `${rows[given.length + i]} says ${one.why}`);
});

test('what says nearly the same is forgotten too if that is asked for, and Undo brings all of it back', async () => {
  const both = found('ferry').sort();
  assert.equal(both.length, 2);
  await world.openEntry('The ferry runs at ten.');
  await entry().getByRole('button', { name: 'Forget' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 other entry says nearly the same').waitFor();
  await dialog.getByLabel('Forget these too').check();
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await world.told('Forgotten');
  assert.deepEqual(found('ferry'), []);
  await button('Undo').click();
  await world.told('Undone');
  assert.deepEqual(found('ferry').sort(), both);
});

test('a link is called by what it leads to', async () => {
  const names = async () => (await page.getByRole('main').getByRole('link').allInnerTexts()).map((text) => text.trim());
  const isId = (text) => /^([a-z]-)?[0-9a-z]{14,}$/.test(text) || text === '';
  await world.go('consolidation');
  world.write('.loci/config.toml', `${world.read('.loci/config.toml')}\n[consolidation]\nmodel = "builtin"\n`);
  world.loci(['consolidate', '--force']);
  const { run } = world.json('log').runs[0];
  await world.go(`consolidation?run=${run}`);
  await page.getByRole('link', { name: 'The scythe is sharp.' }).first().waitFor();
  assert.deepEqual((await names()).filter(isId), []);
  await world.openEntry('The scythe is sharp.');
  await entry().getByRole('button', { name: 'History' }).click();
  await until(async () => (await names()).filter(isId).length === 0, 'names instead of ids');
});

test('a run whose model does not answer says so, and leaves all as it was', async () => {
  world.write('.loci/config.toml', world.read('.loci/config.toml').replace('model = "builtin"', 'model = "house"'));
  world.add('The rake has a new handle.');
  await world.go('consolidation');
  await page.getByText('The rake has a new handle.').waitFor();
  const memory = world.read('consolidated/memory.md');
  await button('Run now').click();
  await page.getByRole('alert').getByText('Failed to connect').waitFor();
  assert.equal(world.read('consolidated/memory.md'), memory);
  await world.picture('failing-model');
  assert.equal(await page.locator('.toast').getByText(/A run is done/).count(), 0);
  await world.settled();
  assert.deepEqual((await page.locator('.view').getByRole('heading').allInnerTexts()), ['Consolidation', 'Pending', 'Runs']);
  assert.equal(await page.locator('.view > :first-child').innerText(), 'Consolidation');
});
