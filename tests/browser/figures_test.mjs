// How fast: from a key press to its results in the page; the first paint; the weight; what idling costs. LOCI_FIGURES=1 takes 100,000
// entries and holds the times to their limits, on a machine that does nothing else; without it only that all of it works is tested.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';
import { World } from './world.mjs';

const isMeasured = process.env.LOCI_FIGURES === '1';
const entries = isMeasured ? 100000 : 2000;
const world = new World();
let page;

const subjects = ['harbour', 'orchard', 'workshop', 'library', 'kitchen', 'meadow', 'station', 'tower', 'bakery', 'garden'];
const verbs = ['opens', 'closes', 'needs', 'keeps', 'loses', 'sells', 'paints', 'repairs', 'orders', 'stores'];
const things = ['lanterns', 'barrels', 'ladders', 'ropes', 'carpets', 'kettles', 'hammers', 'baskets', 'candles', 'wheels'];

before(async () => {
  const lines = [];
  for (let i = 0; i < entries; i++) {
    const at = new Date(Date.UTC(2024, 0, 1) + i * 600000).toISOString();
    lines.push(JSON.stringify({ text: `The ${subjects[i % 10]} of street ${i % 977} ${verbs[Math.floor(i / 10) % 10]} ${i % 91} ${things[Math.floor(i / 100) % 10]} near ${things[(i * 7) % 10]} lot${i}.`, at }));
  }
  world.loci(['add', '--jsonl', '-'], `${lines.join('\n')}\n`);
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

const limit = (value, most, what) => {
  console.log(`${what}: ${value.toFixed(1)} (at most ${most})`);
  if (isMeasured) assert.ok(value <= most, `${what}: ${value}, not at most ${most}`);
};

test('a key press shows its results', async () => {
  const times = await page.evaluate(async () => {
    const box = document.querySelector('input[type=search]');
    const results = document.querySelector('section[aria-label=Results]');
    const taken = [];
    for (const word of ['harbour ropes', 'street 97', 'bakery sells', 'lot777', 'wheels near']) {
      for (let end = 3; end <= word.length; end++) {
        const start = performance.now();
        const shown = new Promise((done) => {
          const watch = new MutationObserver(() => { watch.disconnect(); requestAnimationFrame(() => done(performance.now() - start)); });
          watch.observe(results, { childList: true, subtree: true, characterData: true });
          setTimeout(() => { watch.disconnect(); done(null); }, 1000);
        });
        box.value = word.slice(0, end);
        box.dispatchEvent(new Event('input', { bubbles: true }));
        const time = await shown;
        if (time !== null) taken.push(time);
        await new Promise((done) => setTimeout(done, 60));
      }
    }
    return taken.sort((a, b) => a - b);
  });
  assert.ok(times.length > 20, `only ${times.length} key presses changed anything`);
  limit(times[Math.floor(times.length * 0.95)], 50, 'key press to results, p95, ms');
});

test('thousands of rows scroll', async () => {
  await world.go('memory?layer=L1');
  await page.getByRole('list', { name: 'Entries' }).waitFor();
  const box = page.locator('.window');
  for (let i = 0; i < 10; i++) {
    await box.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    await page.waitForTimeout(100);
  }
  const drawn = await page.locator('.window-row').count();
  assert.ok(drawn > 0 && drawn < 100, `${drawn} rows are drawn`);
});

test('the first paint comes at once', async () => {
  const times = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(`${new URL(page.url()).origin}/#/health`);
    await page.reload();
    await page.getByRole('navigation').waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity));
  }
  limit(times.sort((a, b) => a - b)[2], 100, 'first contentful paint, median, ms');
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

test('idling costs nothing', async () => {
  const seconds = isMeasured ? 20 : 3;
  const processor = () => {
    const fields = fs.readFileSync(`/proc/${world.daemon.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const busy = async () => (await session.send('Performance.getMetrics')).metrics.find((one) => one.name === 'TaskDuration').value;
  await page.waitForTimeout(1500);
  const [daemon, tab] = [processor(), await busy()];
  await page.waitForTimeout(seconds * 1000);
  limit(((processor() - daemon) / seconds) * 100, 0.1, 'processor of the daemon, %');
  limit((((await busy()) - tab) / seconds) * 100, 0.1, 'processor of the page, %');
});
