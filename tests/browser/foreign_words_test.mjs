// Every word that the daemon answers is a stranger's: whatever stands in which field, it is shown as text, runs nothing, leads nowhere and
// stays in the window. The daemon's answers are real ones, of a memory of weeks; their words are put there on the way to the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hostileTexts } from './hostile_texts.mjs';
import { leaveQuestions, liveIn } from './lived_in.mjs';
import { World, until } from './world.mjs';

const world = new World();
let page;
let views;
// The word that a field gets, or null: it stays as it is.
let wordFor = () => null;

// What the page goes on with and does not show.
const structure = new Set(['next', 'hash', 'choices']);
const fields = [
  'after', 'at', 'before', 'code', 'day', 'file', 'host', 'id', 'kind', 'key', 'layer', 'message', 'model', 'origin', 'original_text', 'outcome', 'project', 'projects', 'query', 'reason', 'section', 'session',
  'since', 'source', 'tags', 'task', 'text', 'value', 'vault', 'version',
];

function reworded(value, key) {
  if (typeof value === 'string') return structure.has(key) ? value : wordFor(key) ?? value;
  if (Array.isArray(value)) return value.map((one) => reworded(one, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, reworded(one, name)]));
}

// Of a question that the page has given up meanwhile, the browser does not say that it ended.
async function answer(route) {
  try {
    const response = await route.fetch();
    const json = await response.json().catch(() => null);
    await (json ? route.fulfill({ response, json: reworded(json, '') }) : route.fulfill({ response }));
  } finally {
    page.asked.delete(route.request());
  }
}

before(async () => {
  await liveIn(world);
  await world.startDaemon();
  await leaveQuestions(world);
  world.loci(['task', 'start', 'A task of the winter']);
  world.add('The flue is swept in the winter.', '--task', world.json('task', 'list').tasks[0].task);
  const { id } = world.json('search', 'flue').hits[0];
  const settled = world.json('search', 'rye loaves friday').hits[0];
  const { runs } = world.json('log');
  views = [
    'search', `search?entry=${id}`, `search?entry=${settled.id}`, 'memory', 'memory?layer=L0', 'memory?layer=L2', 'memory?recalled=most', 'conversations', 'conversations?session=oven', 'consolidation',
    ...runs.slice(0, 5).map((one) => `consolidation?run=${one.run}`), 'used?session=orders', 'health', 'settings', 'search?entry=nobody',
  ];
  page = await world.open();
  await page.route((url) => url.pathname.startsWith('/memory/') && url.pathname !== '/memory/events', answer);
});

after(() => world.close());

// The page loads all of it anew.
async function show(view) {
  await world.go('nowhere');
  await world.go(view);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await world.settled();
  const entry = page.getByRole('region', { name: 'Entry' });
  const history = entry.getByRole('button', { name: 'History' });
  if (await history.count()) {
    await history.click();
    await entry.getByText('What happened').waitFor();
  }
}

// What stands in the page and is none of its own.
const foreign = () => page.evaluate(() => {
  const own = 'A ARTICLE BDI BLOCKQUOTE BODY BUTTON CODE DD DIV DL DT EM FIGURE FORM H1 H2 HEADER INPUT KBD LABEL LI MAIN MARK METER NAV NOSCRIPT OL OPTION P PRE PROGRESS SECTION SELECT SPAN STRONG TABLE TBODY TD TEXTAREA TH TR UL line path rect svg title'.split(' ');
  const found = [...document.body.querySelectorAll('*')].flatMap((element) => [
    ...(own.includes(element.tagName) ? [] : [element.tagName]),
    ...[...element.attributes].filter((one) => /^on|^(src|srcdoc|action|formaction|style)$/.test(one.name) && !(one.name === 'style' && element.closest('.window, .plot-box'))).map((one) => `${element.tagName} ${one.name}`),
    ...(element.tagName === 'A' && !['http:', 'https:', 'mailto:'].includes(element.protocol) ? [element.href] : []),
  ]);
  return 'loci_was_here' in window ? [...found, 'a text has run'] : found;
});

test('two hundred hostile texts are shown as text in every field that the page draws', async () => {
  const seen = new Map(fields.map((one) => [one, new Set()]));
  const counts = new Map();
  // Of those that this field was not seen with, the next.
  const next = (key) => {
    for (let i = 1; i <= hostileTexts.length; i++) {
      const number = ((counts.get(key) ?? -1) + i) % hostileTexts.length;
      if (seen.get(key)?.has(String(number)) && i < hostileTexts.length) continue;
      counts.set(key, number);
      return number;
    }
    return 0;
  };
  const isAllSeen = () => seen.get('text').size === hostileTexts.length && fields.every((one) => seen.get(one).size > 0);
  for (let round = 0; round < 2 || (round < 8 && !isAllSeen()); round++) {
    // What an id leads to is drawn only where that stays as it is.
    wordFor = (key) => {
      if (key === 'id' && round % 2) return null;
      const number = next(key);
      return `«${key} ${number}» ${hostileTexts[number]}`;
    };
    await page.reload();
    for (const view of views) {
      await show(view);
      assert.deepEqual(await foreign(), [], `${view}, round ${round}`);
      const text = await page.locator('body').evaluate((body) => [body.textContent, ...[...body.querySelectorAll('input')].map((one) => one.value)].join('\n'));
      for (const [, key, number] of text.matchAll(/«(\w+) (\d+)»/g)) seen.get(key)?.add(number);
    }
  }
  assert.deepEqual(fields.filter((one) => seen.get(one).size === 0), [], 'fields that were never drawn');
  assert.equal(seen.get('text').size, hostileTexts.length);
});

test('all two hundred at once are text in every field, too', async () => {
  const all = hostileTexts.join(' ');
  wordFor = (key) => (key === 'id' ? null : all);
  await page.reload();
  for (const view of views) {
    await show(view);
    assert.deepEqual(await foreign(), [], view);
  }
});

test('no word is too long for a narrow window, in whichever field', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  const long = 'Rindfleischetikettierung'.repeat(40);
  wordFor = (key) => (key === 'id' ? null : long);
  await page.reload();
  for (const view of views) {
    await show(view);
    const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.view, section.entry')].filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth).map((one) => `${one.className || one.tagName}: ${one.scrollWidth}`));
    assert.deepEqual(wide, [], view);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('words that turn the writing around end where they stand', async () => {
  wordFor = (key) => (['file', 'tags', 'project', 'session', 'source'].includes(key) ? '\u202eback' : null);
  for (const view of ['memory?recalled=most', 'conversations?session=oven']) {
    await show(view);
    const row = page.locator('.row-meta', { hasText: 'recalled' }).first();
    await row.waitFor();
    // The words behind it go from left to right.
    const letters = await row.evaluate((element) => {
      const walker = document.createTreeWalker(element, 4);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf('recalled');
        if (at < 0) continue;
        return [...'recalled'].map((_, i) => {
          const range = document.createRange();
          range.setStart(node, at + i);
          range.setEnd(node, at + i + 1);
          return range.getBoundingClientRect().left;
        });
      }
      return [];
    });
    assert.deepEqual(letters, [...letters].sort((a, b) => a - b), view);
    assert.equal(letters.length, 8);
  }
});

test('a link says where it leads, whatever its words turn around', async () => {
  wordFor = (key) => (key === 'text' ? '\u202e[press\u202e](https://example.org/abc) end' : null);
  await show(views[1]);
  const address = page.locator('.entry-text a .dim').first();
  await address.waitFor();
  const [first, last] = await address.evaluate((element) => {
    const lefts = [' (h', 'abc)'].map((part) => {
      const node = element.firstChild;
      const range = document.createRange();
      const at = element.textContent.indexOf(part.trim());
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    });
    return lefts;
  });
  assert.ok(first < last, `${first} is not before ${last}`);
});

test('words that cannot be seen are said to be there', async () => {
  wordFor = (key) => (['text', 'session', 'snippet'].includes(key) ? '\u200b\u2060\u202e\ufeff' : null);
  for (const view of ['memory', 'search', 'conversations', views[1]]) {
    await show(view);
    const empty = await until(() => page.evaluate(() => [...document.querySelectorAll('main a.row .row-text, .entry-text')].map((one) => one.textContent)), 'rows');
    assert.ok(empty.length > 0, view);
    for (const text of empty) assert.match(text, /cannot be seen/, view);
  }
});
