// A long list: the rows that are drawn, and which come first. And the bytes of the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import path from 'node:path';
import zlib from 'node:zlib';
import { World, builtIn, until } from './world.mjs';
import { manyEntries } from './many_entries.mjs';

const world = new World();
let page;

before(async () => {
  world.loci(['add', '--jsonl', '-'], JSON.stringify({ text: 'The oldest well has a lid.', tags: ['Ancient'], project: 'wells', at: '2020-01-01T00:00:00Z' }));
  world.loci(['add', '--jsonl', '-'], manyEntries(2500));
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('thousands of rows scroll', async () => {
  await world.go('memory?layer=L1');
  await page.getByRole('list', { name: 'Entries' }).waitFor();
  const box = page.locator('.window');
  const last = () => page.locator('.window-row').last().getAttribute('aria-posinset').then(Number);
  const seen = await last();
  await box.evaluate((element) => { element.scrollTop = element.scrollHeight; });
  await until(async () => (await last()) > seen, 'rows further down');
  const drawn = await page.locator('.window-row').count();
  assert.ok(drawn > 0 && drawn < 100, `${drawn} rows are drawn`);
});

test('a list goes on below a thousand rows, and stays where it was scrolled to when something is stored', async () => {
  await world.go('memory?layer=L1');
  const box = page.locator('.window');
  const last = () => page.locator('.window-row').last().getAttribute('aria-posinset').then(Number);
  await until(async () => {
    await box.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    return (await last()) > 1300;
  }, 'more than a thousand rows');
  const count = () => page.locator('.said').innerText();
  const reached = await last();
  const top = await box.evaluate((element) => element.scrollTop);
  const counts = page.waitForResponse((response) => response.url().includes('/memory/entries?'));
  world.add('The newest lid is blue.');
  await counts;
  await world.settled();
  assert.equal(await box.evaluate((element) => element.scrollTop), top, await count());
  assert.ok(await last() >= reached - 1, `${await last()} after ${reached}`);
  await until(async () => {
    await box.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    return (await count()) === '2,502 entries';
  }, 'the whole list');
});

test('results unfold for as long as there are more', async () => {
  await world.search('street');
  const rows = page.getByLabel('Results').locator('a.row');
  for (const shown of [20, 100, 500]) {
    await until(async () => (await rows.count()) === shown, `${shown} results`);
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await until(async () => (await rows.count()) > 500, 'more results');
  await world.search('');
});

test('the choices of tags and projects are those of all entries', async () => {
  await world.go('memory?layer=L1');
  await page.getByLabel('Tag').selectOption({ label: 'ancient' });
  await page.getByRole('list', { name: 'Entries' }).getByText('The oldest well has a lid.').waitFor();
  await world.go('search');
  await until(async () => (await page.getByLabel('Project').locator('option').allTextContents()).includes('wells'), 'the project');
});

test('what was recalled most often is shown first, and what was never recalled is not', async () => {
  const [first, second] = world.json('list', '--limit', '2').entries;
  const counts = { [first.id]: [2, 2], [second.id]: [7, 3], 'of-no-entry': [9, 9] };
  world.write('.loci/recall/testhost.jsonl', `${JSON.stringify({ v: 1, day: '2026-01-02', counts })}\n`);
  await world.go('memory?layer=L1');
  await page.getByRole('button', { name: 'most recalled first' }).click();
  const rows = page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
  await rows.filter({ hasText: second.text }).getByText('recalled 7×').waitFor();
  // Rows of the list before may still be drawn below.
  const recalled = async () => (await rows.allInnerTexts()).map((text) => Number(/recalled (\d+)×/.exec(text)?.[1]));
  await until(async () => (await recalled()).join(' ') === '7 2', 'these two alone, in this order');
  await page.getByLabel('Source').selectOption('agent');
  await page.getByText('was recalled yet').waitFor();
});

test('what was never recalled is shown by itself, however long the list is', async () => {
  const { entries } = world.json('list', '--limit', '300');
  const counts = Object.fromEntries(entries.map((one) => [one.id, [1, 1]]));
  world.write('.loci/recall/testhost.jsonl', `${JSON.stringify({ v: 1, day: '2026-01-02', counts })}\n`);
  await world.go('memory?layer=L1&recalled=most');
  const rows = page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
  await rows.filter({ hasText: 'recalled 1×' }).first().waitFor();
  await page.getByRole('button', { name: 'never recalled' }).click();
  await until(async () => (await rows.count()) > 0 && !(await rows.allInnerTexts()).some((text) => text.includes('recalled')), 'only what was never recalled');
  assert.equal(await rows.filter({ hasText: entries[0].text }).count(), 0);
});

test('a line of a megabyte is shown in part, and edited whole without being broken anew at each key', async () => {
  const long = `The longest line begins here ${'and goes on '.repeat(87000)}to its end.`;
  world.loci(['add', '--jsonl', '-'], `${JSON.stringify({ text: long })}\n`);
  const entry = await world.openEntry('The longest line begins here');
  await entry.getByText('more characters').waitFor();
  await entry.getByRole('button', { name: 'Edit' }).click();
  const box = entry.getByRole('textbox', { name: 'Text' });
  assert.equal((await box.inputValue()).length, long.length);
  assert.equal(await box.evaluate((element) => getComputedStyle(element).whiteSpace), 'pre');
  await box.press('Control+Home');
  await page.keyboard.type('Here: ');
  await entry.getByRole('button', { name: 'Save' }).click();
  await page.locator('.toast').getByText('Saved').waitFor();
  assert.match(world.json('search', 'longest line begins').hits[0].text, /^Here: The longest line/);
});

test('what an answer was given is shown of each of more than a thousand conversations', async () => {
  const lines = Array.from({ length: 1100 }, (_, i) => JSON.stringify({ text: `The tide table ${i} is printed.`, session: `tide-${i}`, at: `2026-01-02T03:${String(i % 60).padStart(2, '0')}:00Z` }));
  world.loci(['add', '--jsonl', '-'], `${lines.join('\n')}\n`);
  await world.go('used');
  const choice = page.getByLabel('Conversation');
  await until(async () => (await choice.locator('option[value^=tide-]').count()) === 1100, 'all conversations');
  await choice.selectOption('tide-7');
  await page.getByText('Nothing was given in this conversation').waitFor();
});

test('the page is light', async () => {
  const names = await page.evaluate(async () => {
    const seen = new Set(['/']);
    const waiting = ['/app.js', '/style.css', '/icon.svg'];
    while (waiting.length) {
      const name = waiting.pop();
      if (seen.has(name)) continue;
      seen.add(name);
      const text = await (await fetch(name)).text();
      for (const [, one] of text.matchAll(/["']\.\/([a-z_-]+\.js)["']/g)) waiting.push(`/${one}`);
    }
    return [...seen];
  });
  const folder = path.join(import.meta.dirname, '../../panel/page');
  let sum = 0;
  for (const name of names) {
    const text = await page.evaluate(async (one) => (await fetch(one)).text(), name);
    assert.ok(name === '/' || text === builtIn(folder, name.slice(1)).toString(), `${name} is as it stands in the repository, without its comments`);
    sum += zlib.gzipSync(text).length;
  }
  console.log(`${names.length} files, ${sum} bytes gzipped`);
  assert.ok(sum <= 60 * 1024, `${sum} bytes`);
});
