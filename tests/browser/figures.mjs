// Prints how fast the panel is, with what is asked of it: from a key press to its results, the first paint, what idling costs. It fails
// for no figure: a busy machine has others.
//   LOCI=build/release/loci LOCI_NPM=build/npm node tests/browser/figures.mjs [ENTRIES]
import fs from 'node:fs';
import { manyEntries } from './many_entries.mjs';
import { World } from './world.mjs';

const entries = Number(process.argv[2] || 100000);
const world = new World();
let page;

const show = (what, value, asked) => console.log(`${what}: ${value.toFixed(2)} (asked: ${asked})`);

async function keyPresses() {
  const times = await page.evaluate(async () => {
    const box = document.querySelector('input[type=search]');
    const results = document.querySelector('section[aria-label=Results]');
    const taken = [];
    const isBusy = () => results.getAttribute('aria-busy') === 'true';
    // What is shown answers what is typed, whether that is another answer than before or the same.
    const answered = () => new Promise((done) => {
      const watch = new MutationObserver(() => {
        if (isBusy()) return;
        watch.disconnect();
        requestAnimationFrame(() => done(performance.now()));
      });
      watch.observe(results, { attributes: true, attributeFilter: ['aria-busy'] });
    });
    for (const word of ['harbour ropes', 'street 97', 'bakery sells', 'lot777', 'wheels near']) {
      for (let end = 3; end <= word.length; end++) {
        const shown = answered();
        const start = performance.now();
        box.value = word.slice(0, end);
        box.dispatchEvent(new Event('input', { bubbles: true }));
        taken.push((await shown) - start);
        await new Promise((done) => setTimeout(done, 60));
      }
    }
    return taken.sort((a, b) => a - b);
  });
  console.log(`${times.length} key presses`);
  show('key press to results, median, ms', times[Math.floor(times.length / 2)], 50);
  show('key press to results, p95, ms', times[Math.floor(times.length * 0.95)], 50);
}

async function firstPaint() {
  const times = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(`${new URL(page.url()).origin}/#/health`);
    await page.reload();
    await page.getByRole('navigation').waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity));
  }
  show('first contentful paint, median, ms', times.sort((a, b) => a - b)[2], 100);
}

async function idling() {
  const seconds = 60;
  const processor = () => {
    const fields = fs.readFileSync(`/proc/${world.daemon.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };
  const busyOf = async (one) => {
    const session = await one.context().newCDPSession(one);
    await session.send('Performance.enable');
    await session.send('HeapProfiler.collectGarbage'); // of what was done before
    return async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  // As it is left open: the search box has the focus.
  await page.goto(`${new URL(page.url()).origin}/#/search`);
  await page.getByRole('searchbox').focus();
  // What the browser does in an empty page it does in ours, too.
  const empty = await page.context().newPage();
  const [busy, busyOfEmpty] = [await busyOf(page), await busyOf(empty)];
  await page.bringToFront();
  await page.waitForTimeout(1500);
  const [daemon, tab, other] = [processor(), await busy(), await busyOfEmpty()];
  await page.waitForTimeout(seconds * 1000);
  show('processor of the daemon, %', ((processor() - daemon) / seconds) * 100, 0.1);
  show('processor of the page, %', (((await busy()) - tab) / seconds) * 100, 0.1);
  console.log(`of an empty page beside it: ${((((await busyOfEmpty()) - other) / seconds) * 100).toFixed(2)}`);
}

try {
  world.loci(['add', '--jsonl', '-'], manyEntries(entries));
  await world.startDaemon();
  page = await world.open();
  console.log(`${entries} entries`);
  await keyPresses();
  await firstPaint();
  await idling();
} finally {
  await world.close();
}
