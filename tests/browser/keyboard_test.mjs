// A person without a mouse: every control of every view is reached by Tab alone and seen to be, and every action is done by keys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { leaveQuestions, liveIn } from './lived_in.mjs';
import { World, until } from './world.mjs';

const world = new World();
let page;
let views;

before(async () => {
  await liveIn(world);
  await world.startDaemon();
  await leaveQuestions(world);
  const { id } = world.json('search', 'starter fridge').hits[0];
  views = ['search', `search?entry=${id}`, 'memory', 'memory?layer=L0', 'memory?layer=L2', 'conversations', 'conversations?session=oven', 'consolidation', `consolidation?run=${world.json('log').runs.at(-1).run}`, 'used?session=orders', 'health', 'settings'];
  page = await world.open();
});

after(() => world.close());

// Presses Tab until `element` has the focus.
async function tabTo(element) {
  await element.waitFor();
  for (let i = 0; i < 200; i++) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${element}`);
}

async function press(element, key = 'Enter') {
  await tabTo(element);
  await page.keyboard.press(key);
}

const entry = () => page.getByRole('region', { name: 'Entry' });
const inEntry = (name) => entry().getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const undo = async () => {
  await page.keyboard.press('Control+z');
  await told('Undone');
};
const found = (text) => world.json('search', '--', text).hits.map((hit) => hit.text);

// Tab from the first control until that has the focus again, and no further: of a long list only the rows around those that are seen are
// drawn, so who goes on into it from its end makes the first ones anew. Each that can have the focus gets a mark when it does.
async function goRound(view) {
  await page.evaluate(() => { for (const list of document.querySelectorAll('.window')) list.scrollTop = 0; });
  await world.settled();
  await page.evaluate(() => {
    window.reached = new Set();
    window.unseen = new Set();
    document.activeElement.blur();
    document.addEventListener('focusin', window.onFocusIn ||= ({ target }) => {
      window.isRound = window.reached.has(target) && target.matches('.skip');
      window.reached.add(target);
      const style = getComputedStyle(target);
      if (target.tabIndex >= 0 && (style.outlineStyle === 'none' || Number.parseFloat(style.outlineWidth) < 1)) window.unseen.add(target.textContent || target.tagName);
    });
    document.querySelector('.skip').focus();
  });
  for (let i = 0; i < 1000 && !(await page.evaluate(() => window.isRound)); i++) await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => window.isRound), `Tab leads round ${view}`);
}

test('Tab leads to every control of every view, and each is seen to have the focus', async () => {
  for (const view of views) {
    await world.go(view);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await world.settled();
    const controls = () => page.evaluate(() => [...document.querySelectorAll('a[href], button, input, select, textarea')].filter((one) => !one.disabled && one.checkVisibility()).map((one) => (window.reached.has(one) ? null : one.textContent || one.ariaLabel || one.tagName)));
    // A row that the daemon's news make anew while Tab is under way is another one: then all are gone through again.
    for (let times = 0; times === 0 || (times < 5 && (await controls()).some(Boolean)); times++) await goRound(view);
    assert.deepEqual((await controls()).filter(Boolean), [], view);
    assert.deepEqual(await page.evaluate(() => [...window.unseen]), [], view);
  }
});

test('an entry is found, changed, corrected, promoted, forgotten and purged by keys', async () => {
  await world.go('search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('december shift ruth');
  await page.getByLabel('Results').getByRole('link', { name: /Ruth/ }).waitFor();
  await page.keyboard.press('Enter');
  await until(() => page.evaluate(() => document.activeElement.classList.contains('row')), 'the first hit to have the focus');
  await page.keyboard.press('Enter');
  await press(inEntry('Edit'));
  await until(() => page.evaluate(() => document.activeElement.tagName === 'TEXTAREA'), 'the text to have the focus');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Ruth takes over the late shift from December on.');
  await page.keyboard.press('Control+Enter');
  await told('Saved');
  assert.match(found('december shift ruth')[0], /late shift/);
  await undo();
  await until(() => /early shift/.test(found('december shift ruth')[0]), 'the old words');
  await press(inEntry('Promote'));
  await told('It stands in MEMORY.md now');
  await undo();
  await press(inEntry('Correct'));
  await tabTo(entry().getByRole('textbox', { name: 'What is right' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Ruth takes over the shift at noon from December on.');
  await press(inEntry('Save'));
  await told('Corrected');
  await undo();
  await until(() => /early shift/.test(found('december shift ruth')[0]), 'the old words again');
  await entry().getByText(/early shift/).first().waitFor();  // what is seen is what is forgotten
  await press(inEntry('Forget'), ' ');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Forget' }));
  await told('Forgotten');
  assert.deepEqual(found('december shift ruth').filter((text) => text.includes('shift')), []);
  await undo();
  await until(() => found('december shift ruth').some((text) => text.includes('shift')), 'it to count again');
  await press(inEntry('Purge…'));
  await tabTo(page.getByRole('dialog').getByRole('textbox'));
  await page.keyboard.type('purge');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Purge' }));
  await told(/Purged from/);
  await until(() => world.filesThatHold('early shift').length === 0, 'the words to be gone');
});

test('what waits for an answer, a conversation, a run and a setting are done by keys', async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await world.go('health');
  await press(page.getByRole('article', { name: 'Two corrections' }).getByRole('button', { name: 'This one' }).first());
  await told('The other version is forgotten');
  await undo();
  assert.equal(await page.evaluate(() => location.hash), '#/health', 'the browser took nothing back that was typed before');
  await press(page.getByRole('article', { name: /^Conflict/ }).getByRole('button', { name: 'Remove the copy' }));
  await told('The copy is removed');
  await undo();
  await world.go('conversations?session=oven');
  await press(page.getByRole('button', { name: 'Digest' }));
  await page.locator('.card').first().waitFor();
  await world.go('settings');
  await tabTo(page.getByRole('textbox', { name: 'recall.limit' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await until(() => /limit = 7/.test(world.read('.loci/config.toml')), 'the setting in its file');
});
