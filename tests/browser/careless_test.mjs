// Two clicks for one, two tabs, a daemon that dies in the middle of an act, words that fit nowhere, and nothing at all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World, until } from './world.mjs';

const world = new World();
let page;

const oars = (text) => `# Oars\n\n<!--m {"id":"c-oars","source":"user","first_seen":"2026-01-02"}-->\n${text}\n`;
const views = ['search', 'memory', 'memory?layer=L0', 'memory?layer=L2', 'memory?recalled=most', 'memory?recalled=never', 'conversations', 'consolidation', 'used', 'health', 'settings'];
const button = (name) => page.getByRole('button', { name, exact: true });
const told = (text) => world.told(text);
// As quick as no finger is: the second comes before anything is drawn.
const clickTwice = (target) => target.evaluate((element) => {
  element.click();
  element.click();
});
// How often the page asked for this since.
function countOf(method, part) {
  const asked = { times: 0 };
  page.on('request', (request) => { asked.times += request.method() === method && request.url().includes(part) ? 1 : 0; });
  return asked;
}

before(async () => {
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('an empty memory shows every view, and says how it begins', async () => {
  for (const view of views) {
    await world.go(view);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await world.settled();
    assert.equal(await page.getByRole('alert').count(), 0, view);
  }
  await world.go('search');
  await page.getByText('Nothing is stored yet').waitFor();
});

test('what is typed right behind a click on another view is searched', async () => {
  world.add('The bellows hang in the shed.');
  await world.go('search');
  await world.settled();
  // Before the page is told that its address is another one.
  await page.getByRole('link', { name: 'Settings' }).evaluate((link) => {
    link.click();
    const box = document.querySelector('input[type=search]');
    box.value = 'bellows';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.getByLabel('Results').getByText('in the shed').waitFor();
  await world.search('');
});

test('two clicks on Save are one change', async () => {
  world.add('The oven is heated with beech.');
  const entry = await world.openEntry('The oven is heated with beech.');
  await entry.getByRole('button', { name: 'Correct' }).click();
  await entry.getByRole('textbox', { name: 'What is right' }).fill('The oven is heated with oak.');
  const asked = countOf('POST', '/correct');
  await clickTwice(entry.getByRole('button', { name: 'Save' }));
  await told('Corrected');
  assert.equal(asked.times, 1);
  assert.deepEqual(world.json('search', 'oven').hits.map((hit) => hit.text), ['The oven is heated with oak.']);
});

test('two clicks on Forget and on Undo are one of each', async () => {
  world.add('The cellar door sticks in summer.');
  const entry = await world.openEntry('The cellar door sticks in summer.');
  await entry.getByRole('button', { name: 'Forget' }).click();
  const [forgotten, restored] = [countOf('DELETE', '/memory/entries/'), countOf('POST', '/restore')];
  await clickTwice(page.getByRole('dialog').getByRole('button', { name: 'Forget' }));
  await told('Forgotten');
  await clickTwice(button('Undo'));
  await told('Undone');
  assert.deepEqual([forgotten.times, restored.times], [1, 1]);
  await until(() => world.json('search', 'cellar').hits.length === 1, 'it to count again');
});

test('an undo takes nothing away that somebody else has written since', async () => {
  world.write('consolidated/oars.md', oars('The oars are made of ash.'));
  const entry = await world.openEntry('The oars are made of ash.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The oars are made of spruce.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  world.write('consolidated/oars.md', world.read('consolidated/oars.md').replace('made of spruce', 'made of larch'));
  await button('Undo').click();
  await told('It could not be undone');
  assert.match(world.read('consolidated/oars.md'), /made of larch/);
});

test('what one tab changes the other shows', async () => {
  const first = page;
  await world.openEntry('The cellar door sticks in summer.');
  const second = await world.open();
  const entry = await world.openEntry('The cellar door sticks in summer.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The cellar door sticks in winter.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await first.getByLabel('Results').getByText('sticks in winter').waitFor();
  await second.context().close();
  world.page = first;
});

test('a daemon that dies while it is asked leaves the words where they are, and takes them once it is back', async () => {
  world.add('The kettle is dented.');
  const entry = await world.openEntry('The kettle is dented.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The kettle is mended.');
  const edits = (url) => url.pathname.startsWith('/memory/entries/');
  await page.route(edits, async (route) => {
    if (route.request().method() === 'PATCH') await world.stopDaemon('SIGKILL');
    return route.continue();
  });
  await entry.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('does not answer').waitFor();
  assert.equal(await entry.getByRole('textbox', { name: 'Text' }).inputValue(), 'The kettle is mended.');
  await page.unroute(edits);
  await world.startDaemon();
  await page.getByText('up to date').waitFor();
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  assert.deepEqual(world.json('search', 'kettle').hits.map((hit) => hit.text), ['The kettle is mended.']);
});

test('a login that ends while somebody writes gives the words back', async () => {
  world.add('The tap drips at night.');
  const first = page;
  page = await world.open();
  const entry = await world.openEntry('The tap drips at night.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The tap is mended.');
  await world.logOut(page);
  // Unless the page asked for something meanwhile, and was told.
  await page.evaluate(() => document.querySelector('form.edit [type=submit]')?.click());
  await page.getByText('not logged in').waitFor();
  assert.equal(await page.getByRole('textbox', { name: /not saved/ }).inputValue(), 'The tap is mended.');
  assert.deepEqual(world.json('search', 'tap').hits.map((hit) => hit.text), ['The tap drips at night.']);
  await page.context().close();
  page = first;
  world.page = first;
});

test('words that are not saved are not lost by a reload that nobody meant', async () => {
  world.add('The bell rings at dusk.');
  const entry = await world.openEntry('The bell rings at dusk.');
  const asks = async () => {
    const asked = page.waitForEvent('dialog');
    // It never ends where the person stays.
    page.evaluate(() => { setTimeout(() => location.reload()); });
    return asked;
  };
  await entry.getByRole('button', { name: 'Edit' }).click();
  await page.keyboard.type(' It is loud.');
  const dialog = await asks();
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await page.waitForFunction(() => sessionStorage.getItem('loci-key'));
  assert.match(await entry.getByRole('textbox', { name: 'Text' }).inputValue(), /It is loud/);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...window.localStorage, ...window.sessionStorage })), /loud/);
  await entry.getByRole('button', { name: 'Cancel' }).click();
  const isLoadedAgain = page.waitForEvent('load');
  page.once('dialog', (one) => { world.faults.push(`asked though nothing is unsaved: ${one.type()}`); one.accept(); });
  await page.evaluate(() => { setTimeout(() => location.reload()); });
  await isLoadedAgain;
  page.removeAllListeners('dialog');
  await page.getByText('up to date').waitFor();
});

test('words that are wider than any window, and those from right to left, stay inside', async () => {
  const long = 'Donaudampfschifffahrt'.repeat(40);
  const text = `${long} begins, שלום עולם follows`;
  world.add(text, '--tag', long.slice(0, 60), '--project', long.slice(0, 100), '--session', long.slice(0, 100));
  world.turn(long.slice(0, 100), `${long} is asked`, `${long} is answered`);
  world.add('שלום עולם, זה מבחן', '--tag', 'עברית');
  world.write(`notes/${long.slice(0, 200)}.md`, `# ${long}\n\n${long} stands here.\n`);
  world.write('consolidated/narrow.loci-conflict-20260101T000000Z.md', `${long}\n`);
  world.write('consolidated/narrow.md', `# Narrow\n\n${long} is narrow.\n`);
  await page.setViewportSize({ width: 360, height: 740 });
  const id = await until(() => world.json('search', '--history', 'begins').hits[0]?.id, 'the entry');
  for (const view of [...views, `conversations?session=${long.slice(0, 100)}`, `search?entry=${id}`]) {
    await world.go(view);
    await world.settled();
    const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.view, section.entry')].filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth).map((one) => `${one.className || one.tagName}: ${one.scrollWidth}`));
    assert.deepEqual(wide, [], view);
  }
  await world.search('ta');
  await page.getByRole('searchbox').pressSequentially('g:');
  await page.getByRole('option', { name: long.slice(0, 60) }).waitFor();
  const offered = await page.getByRole('listbox', { name: 'Suggestions' }).evaluate((list) => [list.getBoundingClientRect().right - innerWidth, list.scrollWidth - list.clientWidth]);
  assert.ok(offered.every((beyond) => beyond <= 0), `${offered} px beyond the window and the list`);
  await world.go('search');
  await world.search('שלום עולם');
  const row = page.getByLabel('Results').locator('.row-text').filter({ hasText: 'מבחן' }).first();
  assert.equal(await row.evaluate((element) => getComputedStyle(element).direction), 'rtl');
});

// What changes something there is done, and its answer lost.
async function loseAnswers(where) {
  await page.route(where, async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    const cookie = (await page.context().cookies()).map((one) => `${one.name}=${one.value}`).join('; ');
    await route.fetch({ headers: { ...route.request().headers(), cookie } });
    return route.abort();
  });
}

test('a user.md whose answer was lost is saved, and can be undone', async () => {
  world.write('user.md', '# User\n\nLikes rain.\n');
  await world.go('memory?layer=L0');
  await page.getByText('Likes rain.').first().waitFor();
  await page.getByRole('button', { name: 'Edit user.md' }).click();
  await page.getByRole('textbox', { name: 'user.md' }).fill('# User\n\nLikes snow.\n');
  const file = (url) => url.pathname === '/memory/user-file';
  await loseAnswers(file);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until(() => world.read('user.md').includes('snow'), 'the file to be written');
  await told('Saved user.md');
  await page.unroute(file);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await told('Undone');
  assert.equal(world.read('user.md'), '# User\n\nLikes rain.\n');
});

test('a change whose answer was lost is known to be done when it is saved again', async () => {
  for (const [way, box, text, words] of [['Edit', 'Text', 'The pump squeaks.', 'The pump is oiled.'], ['Correct', 'What is right', 'The drain is clogged.', 'The drain is free.']]) {
    world.add(text);
    await world.go('search'); // in a narrow window an entry stands over the results
    const entry = await world.openEntry(text);
    await entry.getByRole('button', { name: way, exact: true }).click();
    await entry.getByRole('textbox', { name: box }).fill(words);
    const changes = (url) => /\/memory\/entries\/[^/]+(\/correct)?$/.test(url.pathname);
    await loseAnswers(changes);
    await entry.getByRole('button', { name: 'Save' }).click();
    await entry.getByText('does not answer').waitFor();
    await page.unroute(changes);
    await page.getByText('up to date').waitFor();
    await entry.getByRole('button', { name: 'Save' }).click();
    await told(way === 'Edit' ? 'Saved' : 'Corrected');
    assert.deepEqual(world.json('search', text).hits.map((hit) => hit.text), [words]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await told('Undone');
    assert.deepEqual(world.json('search', text).hits.map((hit) => hit.text), [text]);
  }
});
