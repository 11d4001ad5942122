// Whoever works by keys is never thrown back to the beginning of the page: when what has the focus goes, the next thing has it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;

const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
const entry = () => page.getByRole('region', { name: 'Entry' });
const focused = () => page.evaluate(() => {
  const one = document.activeElement;
  return one === document.body ? 'nothing' : `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') || one.labels?.[0]?.firstChild.textContent || one.innerText}`.trim().replace(/\s+/g, ' ');
});
const has = (what, name) => until(async () => what.test(await focused()), `${name || what} to have the focus, not ${''}`).catch(async (error) => assert.fail(`${error.message}${await focused()}`));
const press = async (element) => {
  await element.focus();
  await page.keyboard.press('Enter');
};
const words = ['The kiln is fired at dawn.', 'The kiln is swept on Mondays.', 'The kiln door faces north.'];

before(async () => {
  for (const text of words) world.add(text);
  world.write('user.md', '# User\n\nMakes pots.\n');
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('an entry that is closed leaves the focus on the row that led to it, in a narrow window too', async () => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await world.search('kiln');
    const row = page.getByLabel('Results').getByRole('link').nth(1);
    const text = (await row.innerText()).trim();
    await press(row);
    await entry().locator('.entry-text').waitFor();
    await press(button('Close'));
    await entry().waitFor({ state: 'detached' });
    await has(new RegExp(`^a ${text}`));
  }
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('Edit and Correct begin in the text, and end at the button that began them', async () => {
  await world.openEntry(words[0]);
  for (const [way, box] of [['Edit', 'Text'], ['Correct', 'What is right']]) {
    await press(entry().getByRole('button', { name: way, exact: true }));
    await has(new RegExp(`^textarea ${box}`));
    await press(entry().getByRole('button', { name: 'Cancel' }));
    await has(new RegExp(`^button ${way}$`));
    await press(entry().getByRole('button', { name: way, exact: true }));
    await page.keyboard.press('Escape');
    await has(new RegExp(`^button ${way}$`));
  }
  await press(entry().getByRole('button', { name: 'Correct', exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('The kiln is fired at noon.');
  await press(entry().getByRole('button', { name: 'Save' }));
  await told('Corrected');
  await has(/^button Correct$/);
  await press(button('Undo'));
  await told('Undone');
  await until(async () => (await focused()) !== 'nothing', 'something to have the focus');
});

test('what is forgotten leaves the focus in its entry, and Undo where it was', async () => {
  await world.openEntry(words[1]);
  await press(entry().getByRole('button', { name: 'Forget' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Forget' }));
  await told('Forgotten');
  await until(async () => (await entry().getByRole('button', { name: 'Restore' }).count()) === 1, 'the entry to be drawn anew');
  assert.ok(await page.evaluate(() => document.activeElement.closest('section.entry') !== null), await focused());
  await press(button('Undo'));
  await told('Undone');
  await until(async () => (await entry().getByRole('button', { name: 'Forget' }).count()) === 1, 'the entry to be drawn anew');
  assert.ok(await page.evaluate(() => document.activeElement.closest('section.entry') !== null), await focused());
});

test('user.md is edited from its first key, and left at its button', async () => {
  await world.go('memory?layer=L0');
  for (const end of ['Cancel', 'Save']) {
    await press(button('Edit user.md'));
    await has(/^textarea user.md/);
    await page.keyboard.type('Likes clay. ');
    await press(button(end));
    await has(/^button Edit user.md$/);
  }
  assert.match(world.read('user.md'), /Likes clay/);
});

test('an answer leads to the next question, and the last one to the heading', async () => {
  for (const name of ['pots', 'tiles']) {
    world.write(`${name}.md`, `There are ${name}.\n`);
    world.write(`${name}.sync-conflict-20260101-000000-ABCDEFG.md`, `There are more ${name}.\n`);
  }
  await world.go('memory');
  await world.go('health');
  const card = (name) => page.getByRole('article', { name: `Conflict of ${name}.md` });
  await press(card('pots').getByRole('button', { name: 'Merge them' }));
  await card('pots').waitFor({ state: 'detached' });
  await until(() => page.evaluate(() => document.activeElement.closest('article')?.getAttribute('aria-label') === 'Conflict of tiles.md'), 'the next card to have the focus');
  await press(card('tiles').getByRole('button', { name: 'Remove the copy' }));
  await card('tiles').waitFor({ state: 'detached' });
  await has(/^h1 Health/);
});

test('Ctrl+Z on a choice takes back the last change; in a dialog and in a field keys are theirs', async () => {
  await world.openEntry(words[2]);
  await entry().getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told('Forgotten');
  await entry().getByRole('button', { name: 'Purge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('6');
  assert.equal(await page.getByRole('dialog').count(), 1);
  assert.match(page.url(), /#\/search/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('.toast').getByText('Forgotten').waitFor();
  await page.getByRole('combobox', { name: 'Source' }).focus();
  await page.keyboard.press('6');
  assert.match(page.url(), /#\/search/);
  await page.keyboard.press('Control+z');
  await told('Undone');
  await until(() => world.json('search', 'door').hits.length === 1, 'it to count again');
});
