// Who is logged in: several tabs of one browser, an address that is pasted, used or broken, and whoever logs out.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;

const isOut = (tab) => tab.getByRole('heading', { name: 'not logged in' }).waitFor();
const isIn = (tab) => tab.getByText('up to date').waitFor();
const tell = (tab, text) => tab.getByRole('alert').getByText(text).waitFor();
// Into the address bar of a tab that has the page: it is not loaded again.
const paste = (tab, address) => tab.evaluate((to) => { location.href = to; }, address);

async function anotherTab(address = world.address()) {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

async function finds(tab, words, text) {
  await tab.getByRole('searchbox').fill(words);
  await tab.getByLabel('Results').getByText(text).waitFor();
}

before(async () => {
  world.add('The lantern hangs over the bench.');
  await world.startDaemon();
});

afterEach(async () => {
  await page.context().close();
});

after(() => world.close());

test('a second tab, opened by a second loci panel, leaves the first one logged in', async () => {
  page = await world.open();
  const second = await anotherTab();
  await isIn(second);
  await finds(second, 'lantern', 'over the bench');
  await finds(page, 'bench', 'The lantern hangs');
  await page.reload();
  await isIn(page);
});

test('whoever logs out is out in every tab of the browser, and in no other one', async () => {
  page = await world.open();
  const second = await anotherTab();
  await isIn(second);
  const elsewhere = await (await page.context().browser().newContext()).newPage();
  await elsewhere.goto(world.address());
  await isIn(elsewhere);
  const key = await page.evaluate(() => sessionStorage.getItem('loci-key'));
  const cookies = await page.context().cookies();
  await world.go('settings');
  await page.getByRole('button', { name: 'Log out' }).click();
  await isOut(page);
  await tell(page, 'You have logged out');
  await isOut(second);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.context().addCookies(cookies);
  assert.equal(await page.evaluate(async (value) => (await fetch('/memory/status', { headers: { 'X-Loci-Key': value } })).status, key), 401);
  await finds(elsewhere, 'lantern', 'over the bench');
  await elsewhere.context().close();
});

test('of seventeen logins the one that was used longest ago is out, and says why; one that is in use goes on', async () => {
  page = await world.open();
  const second = await anotherTab();
  await isIn(second);
  await world.look(second, true);
  for (let i = 0; i < 15; i++) {
    const { origin, hash } = new URL(world.address());
    const answer = await fetch(`${origin}/login`, { method: 'POST', headers: { Origin: origin, 'Content-Type': 'application/json' }, body: JSON.stringify({ token: hash.slice(1) }) });
    assert.equal(answer.status, 200);
    await finds(page, `lantern ${i}`, 'over the bench');
  }
  await world.look(second, false);
  await isOut(second);
  await tell(second, 'more than 16 pages');
  await second.getByText('loci panel').waitFor();
  await finds(page, 'bench', 'The lantern hangs');
});

test('an address with a blank behind it is the same address', async () => {
  page = await world.open();
  for (const behind of ['%20', '%20%0A', '%0D%0A']) {
    const other = await (await page.context().browser().newContext()).newPage();
    await other.goto(world.address() + behind);
    await isIn(other);
    assert.match(other.url(), /#\/$/);
    await other.context().close();
  }
});

test('an address that was used, or is not whole, says so and what to do', async () => {
  page = await world.open();
  const used = world.address();
  await (await anotherTab(used)).getByText('up to date').waitFor();
  for (const [address, text] of [[used, 'This address was used already, or is too old'], [world.address().slice(0, -7), 'This address is not whole']]) {
    const other = await (await page.context().browser().newContext()).newPage();
    await other.goto(address);
    await isOut(other);
    await tell(other, text);
    await other.getByText('loci panel').waitFor();
    await other.context().close();
  }
  await paste(page, used);
  await page.locator('.toast').getByText('You were logged in already').waitFor();
  await finds(page, 'lantern', 'over the bench');
});

test('an address that is pasted into a tab that is out logs it in, and what was being written is there again', async () => {
  page = await world.open();
  const entry = await world.openEntry('The lantern hangs over the bench.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Tags' }).fill('workshop, light');
  await world.logOut(page);
  await page.evaluate(() => document.querySelector('form.edit [type=submit]').click());
  await isOut(page);
  assert.match(await page.getByRole('textbox', { name: /not saved/ }).inputValue(), /Tags: workshop, light/);
  const used = world.address();
  const other = await (await page.context().browser().newContext()).newPage();
  await other.goto(used);
  await isIn(other);
  await other.context().close();
  await paste(page, used);
  await tell(page, 'used already');
  await paste(page, world.address());
  await isIn(page);
  await world.search('lantern');
  await page.getByLabel('Results').getByRole('link').first().click();
  const tags = page.getByRole('region', { name: 'Entry' }).getByRole('textbox', { name: 'Tags' });
  await tags.waitFor();
  assert.equal(await tags.inputValue(), 'workshop, light');
  await page.getByRole('region', { name: 'Entry' }).getByRole('button', { name: 'Save' }).click();
  await page.locator('.toast').getByText('Saved').waitFor();
  await until(() => world.json('list', '--tag', 'workshop').entries.length === 1, 'the tags in the files');
});

test('what was typed into a setting is given back when the login ends', async () => {
  page = await world.open();
  await world.go('settings');
  await page.getByRole('textbox', { name: 'recall.limit' }).fill('17');
  await world.logOut(page);
  await page.evaluate(() => { location.hash = '#/health'; });
  await isOut(page);
  const given = page.getByRole('textbox', { name: /recall.limit.*not saved/ });
  assert.equal(await given.inputValue(), '17');
});
