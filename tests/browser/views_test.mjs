// Every view in both themes and at 360 px: nothing that axe-core finds, nothing that runs out of the window, a picture of each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { leaveQuestions, liveIn } from './lived_in.mjs';
import { World, axeSource, until } from './world.mjs';

const world = new World();

const views = {
  search: 'search', memory: 'memory', prompt: 'memory?layer=L0', past: 'memory?layer=L2', conversations: 'conversations', conversation: 'conversations?session=oven',
  consolidation: 'consolidation', used: 'used?session=orders', health: 'health', settings: 'settings',
};

before(async () => {
  await liveIn(world);
  await world.startDaemon();
  await leaveQuestions(world);
  const { runs } = world.json('log');
  views.run = `consolidation?run=${runs.find((one) => one.changed > 0).run}`;
  views.failed = `consolidation?run=${runs.find((one) => one.outcome !== 'done').run}`;
});

after(() => world.close());

async function check(page, name) {
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(' | ')}`));
  assert.deepEqual(found, [], name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px wider than the window`);
}

for (const [theme, width] of [['light', 1280], ['dark', 1280], ['light', 360], ['dark', 360]]) {
  test(`every view, ${theme}, ${width} px`, async () => {
    // The policy forbids what axe is loaded with, so the test's own script comes in beside it.
    const page = await world.open({ colorScheme: theme, viewport: { width, height: width === 360 ? 740 : 860 }, bypassCSP: true });
    await page.evaluate(axeSource);
    for (const [name, view] of Object.entries(views)) {
      await world.go(view);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await world.settled();
      await check(page, name);
      await world.picture(`${name}-${theme}-${width}`);
      const isLong = await page.locator('.view').evaluate((box) => {
        const top = box.scrollTop;
        box.scrollTop = box.scrollHeight;
        return box.scrollTop > top;
      });
      if (isLong) await world.picture(`${name}-end-${theme}-${width}`);
    }
    await world.go('search');
    await world.search('rye loaves');
    await page.getByLabel('Results').getByRole('button', { name: /why/ }).first().click();
    await check(page, 'results');
    await world.picture(`results-${theme}-${width}`);
    await page.getByLabel('Results').getByRole('link').first().click();
    const entry = page.getByRole('region', { name: 'Entry' });
    await entry.getByRole('button', { name: 'History' }).click();
    await check(page, 'entry');
    await world.picture(`entry-${theme}-${width}`);
    await entry.getByRole('button', { name: 'Edit' }).click();
    await check(page, 'edit');
    await world.picture(`edit-${theme}-${width}`);
    await entry.getByRole('button', { name: 'Cancel' }).click();
    await entry.getByRole('button', { name: 'Forget' }).click();
    await check(page, 'forget');
    await world.picture(`forget-${theme}-${width}`);
    await page.context().close();
  });
}

test('a plot has a place for every day, and words that can be read at any width', async () => {
  const page = await world.open({ viewport: { width: 360, height: 740 } });
  await world.go('consolidation');
  const plot = page.locator('.plot-box', { has: page.getByRole('img', { name: /Tokens by day/ }) });
  await plot.waitFor();
  const days = [...new Set(world.json('log').runs.map((run) => Date.parse(run.at.slice(0, 10)) / 86400000))].sort((a, b) => a - b);
  const lefts = await plot.locator('rect').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().left));
  assert.equal(lefts.length, days.length);
  assert.ok(days.length > 2);
  const dayWidth = (lefts.at(-1) - lefts[0]) / (days.at(-1) - days[0]);
  days.forEach((day, i) => assert.ok(Math.abs(lefts[i] - lefts[0] - (day - days[0]) * dayWidth) < 1, `bar ${i} of ${lefts}`));
  for (const words of await plot.locator('.plot-scale').all()) {
    assert.ok(await words.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)) >= 11);
    assert.ok(await words.evaluate((element) => element.scrollWidth <= element.clientWidth), await words.innerText());
  }
  assert.match(await plot.innerText(), /tokens/);
  await page.context().close();
});

test('what a run cost is priced by the model that ran, whichever is asked by now', async () => {
  const page = await world.open();
  const costOf = ({ tokens }) => (tokens.input * 3 + tokens.output * 12) / 1e6;
  const runs = world.json('log').runs.filter(({ tokens }) => tokens?.input > 0);
  assert.ok(runs.length > 2);
  assert.doesNotMatch(world.loci(['config', 'consolidation.model']), /house/);
  await world.go('consolidation');
  await page.getByText(`${runs.reduce((sum, run) => sum + costOf(run), 0).toFixed(4)} in all`).waitFor();
  await world.go(`consolidation?run=${runs[0].run}`);
  await page.getByText(`tokens, costs ${costOf(runs[0]).toFixed(4)}`).waitFor();
  await page.context().close();
});

test('what a run refused is shown with why, and of what it could not settle the facts', async () => {
  const page = await world.open();
  const runs = world.json('log').runs.map(({ run }) => world.json('log', run));
  const [refusing, refused] = runs.flatMap(({ run, clusters }) => clusters.flatMap((one) => one.refused.map((what) => [run, what])))[0];
  assert.ok(refused.text && refused.why.length > 0);
  await world.go(`consolidation?run=${refusing}`);
  const card = page.locator('.problem', { hasText: refused.text }).first();
  for (const why of refused.why) await card.getByText(why).waitFor();
  await world.go(views.failed);
  await page.locator('.problem').getByRole('link', { name: /^(The oven inspection|The delivery van)/ }).first().waitFor();
  await page.context().close();
});

test('what keeps a run from starting, what is set aside, and what only a file of your own may say are shown as they are', async () => {
  const page = await world.open();
  const { gate, pending, quarantined } = world.json('status').consolidation;
  assert.ok(gate.closed_by.length > 0 && quarantined > 0);
  await world.go('consolidation');
  for (const { reason } of gate.closed_by) await page.locator('.view').getByText(reason).waitFor();
  const figure = (name) => page.locator('.figures div', { has: page.getByText(name, { exact: true }) }).locator('dd').innerText();
  assert.deepEqual([await figure('facts pending'), await figure('set aside')], [pending, quarantined].map(String));
  await page.getByText('is set aside;').first().waitFor();
  assert.equal(await page.getByText('is set aside;').count(), quarantined);
  await world.go('settings');
  const row = page.getByRole('row', { name: /^models\.house\.base_url/ });
  await row.getByText(/http:\/\/127\.0\.0\.1:\d+/).waitFor();
  assert.equal(await page.getByRole('row', { name: /^(models|http|agents)\./ }).locator('input, select, button').count(), 0);
  await page.getByRole('row', { name: /^recall\.limit/ }).getByRole('textbox').waitFor();
  await page.context().close();
});

test('another page begins at its top, an entry beside it leaves it where it is', async () => {
  const page = await world.open({ viewport: { width: 1280, height: 500 } });
  const scrolled = () => page.locator('.view').evaluate((view) => view.scrollTop);
  const toEnd = () => page.locator('.view').evaluate((view) => { view.scrollTop = view.scrollHeight; });
  await world.go('health');
  await page.getByRole('heading', { name: 'Problems' }).waitFor();
  await world.settled();
  await toEnd();
  assert.ok(await scrolled() > 0);
  const { id } = world.json('list').entries[0];
  await world.go(`health?entry=${id}`);
  await page.getByRole('region', { name: 'Entry' }).locator('.facts').waitFor();
  assert.ok(await scrolled() > 0);
  await world.go('memory?layer=L1');
  await page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first().waitFor();
  await toEnd();
  await world.go('memory?layer=L2');
  await page.getByRole('button', { name: /The past/, pressed: true }).waitFor();
  assert.equal(await scrolled(), 0);
  await page.context().close();
});

test('what an address asks for and is not there is named', async () => {
  const page = await world.open();
  for (const [view, name] of [
    ['memory?recalled=zz', 'recalled “zz”'], ['memory?layer=L9', 'layer “L9”'], ['memory?inactive=0', 'inactive “0”'], ['memory?kind=zz&recalled=most', 'kind “zz”'],
    ['memory?source=zz&recalled=most', 'source “zz”'], ['search?layer=L9', 'layer “L9”'], ['search?history=0', 'history “0”'], ['search?source=zz', 'source “zz”'],
  ]) {
    await world.go(view);
    await page.getByRole('alert').getByText(`There is no ${name}`).waitFor();
    assert.equal(await page.locator('.view a.row').count(), 0, view);
  }
  for (const [view, back] of [['conversations?session=zz', 'All conversations'], ['consolidation?run=zz', 'All runs']]) {
    await world.go(view);
    await page.getByRole('alert').getByText("'zz'").waitFor();
    await page.getByRole('link', { name: back }).waitFor();
  }
  await world.go('used?session=zz');
  await page.getByText('There is no conversation “zz”').waitFor();
  assert.equal(await page.getByLabel('Conversation').inputValue(), 'zz');
  await page.context().close();
});

test('in a narrow window what belongs together stands closer than what does not', async () => {
  const page = await world.open({ viewport: { width: 360, height: 740 } });
  await world.go('health');
  const pairs = page.getByRole('article', { name: 'Question about consolidated/memory.md' }).locator('.sides');
  await pairs.nth(1).waitFor();
  const [old, now] = await pairs.first().locator('.side').evaluateAll((sides) => sides.map((one) => one.getBoundingClientRect()));
  const next = await pairs.nth(1).evaluate((one) => one.getBoundingClientRect().top);
  assert.ok(now.top - old.bottom < next - now.bottom, `${now.top - old.bottom} px inside, ${next - now.bottom} px between`);
  await page.context().close();
});

test('in a narrow window the filters are folded, and say how many are set', async () => {
  const page = await world.open({ viewport: { width: 360, height: 740 } });
  for (const view of ['memory', 'search']) {
    await world.go(view);
    const source = page.getByRole('combobox', { name: 'Source' }), fold = page.getByRole('button', { name: /^Filters/ });
    await fold.waitFor();
    await source.waitFor({ state: 'hidden' });
    await fold.click();
    await source.selectOption('user');
    await fold.click();
    await source.waitFor({ state: 'hidden' });
    assert.equal(await fold.innerText(), 'Filters (1)');
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('combobox', { name: 'Source' }).waitFor();
  await world.go('memory');
  const middleOf = (part) => part.evaluate((box) => box.getBoundingClientRect().top + box.getBoundingClientRect().height / 2);
  const count = page.getByRole('group', { name: 'Filters' }).getByText('entries'), chip = page.getByRole('button', { name: 'also what no longer counts' });
  await count.waitFor();
  assert.ok(Math.abs(await middleOf(count) - await middleOf(chip)) < 2, 'how many there are stands in line with the filters');
  await page.context().close();
});

test('of much that waits for an answer the first is shown, and more when asked', async () => {
  const page = await world.open();
  for (let i = 10; i < 40; i++) {
    world.write(`copies/n${i}.md`, `# Note ${i}\n\nThe shelf ${i} is empty.\n`);
    world.write(`copies/n${i}.sync-conflict-20260101-000000-ABCDEFG.md`, `# Note ${i}\n\nThe shelf ${i} is full.\n`);
  }
  await world.go('health');
  const cards = page.locator('article.card');
  await until(async () => await cards.count() === 20, 'the first twenty');
  await page.getByRole('button', { name: 'Show more' }).click();
  await until(async () => await cards.count() > 30, 'all of them');
  assert.equal(await page.getByText('are not shown').count(), 0);
  await page.context().close();
});
