// What is held small: the rows that are drawn, and the bytes of the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';
import { World, until } from './world.mjs';
import { manyEntries } from './many_entries.mjs';

const world = new World();
let page;

before(async () => {
  world.loci(['add', '--jsonl', '-'], manyEntries(2000));
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
  let sum = 0;
  for (const name of names) sum += zlib.gzipSync(await page.evaluate(async (one) => (await fetch(one)).text(), name)).length;
  console.log(`${names.length} files, ${sum} bytes gzipped`);
  assert.ok(sum <= 60 * 1024, `${sum} bytes`);
});
