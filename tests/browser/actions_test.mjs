// Every action of the panel, with its effect read back from the files.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fs from 'node:fs';
import path from 'node:path';
import { World, until } from './world.mjs';

const world = new World();
let page;
let entry;

const archive = () => fs.readdirSync(path.join(world.vault, 'archive'), { recursive: true }).filter((name) => name.endsWith('.md')).map((name) => world.read(`archive/${name}`)).join('\n');
const found = (text) => world.json('search', '--history', '--limit', '50', '--', text).hits.map((hit) => hit.text);
// What the page says of the change that was made last; the button Undo beside it is that change's.
const told = (text) => world.told(text);
const button = (name) => page.getByRole('button', { name, exact: true });
const undo = async () => {
  await button('Undo').click();
  await told('Undone');
};

before(async () => {
  world.add('The boat house has a green door.', '--tag', 'lake');
  world.add('Ruth keeps the spare key of the shed.');
  world.add('The canoe weighs thirty kilograms.');
  world.add('The bicycle lock opens with four seven one one.');
  world.turn('lake-trip', 'When do we paddle around the lake?', 'On **Sunday**, if the wind is low.');
  world.add('The paddle tour starts at nine.', '--session', 'lake-trip', '--turn', '0');
  world.write('consolidated/oars.md', '# Oars\n\n<!--m {"id":"c-oars","source":"user","first_seen":"2026-01-02","history":[{"day":"2026-01-02","text":"The oars were made of pine."}]}-->\nThe oars are made of ash.\n');
  await world.startDaemon();
  page = await world.open();
});

after(() => world.close());

test('results come while typing, and a beginning of a word is enough', async () => {
  await world.search('boat hou');
  await page.getByLabel('Results').getByText('green door').waitFor();
  assert.equal(await page.getByRole('searchbox').count(), 1);
});

test('an entry shows who said it, when and where it stands', async () => {
  entry = await world.openEntry('The boat house has a green door.');
  await entry.getByText('you said it').waitFor();
  await entry.getByText(/archive\/.*\.md:\d+/).first().waitFor();
  assert.match(await entry.innerText(), /lake/);
});

test('its history shows what it said before a run changed it', async () => {
  const oars = await world.openEntry('The oars are made of ash.');
  await oars.getByRole('button', { name: 'History' }).click();
  await oars.getByText('The oars were made of pine.').waitFor();
  entry = await world.openEntry('The boat house has a green door.');
});

test('an edit is in the file, and Undo takes it out again', async () => {
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The boat house has a red door.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  assert.deepEqual(found('boat house door'), ['The boat house has a red door.']);
  assert.ok(archive().includes('a red door'));
  await undo();
  await until(() => found('boat house door')[0] === 'The boat house has a green door.', 'the old words to count again');
  assert.deepEqual(found('boat house door'), ['The boat house has a green door.']);
});

test('tags are changed', async () => {
  entry = await world.openEntry('The boat house has a green door.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Tags' }).fill('lake, house');
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  assert.equal(world.json('list', '--tag', 'house').entries.length, 1);
});

test('whoever is quick types into the field that they chose', async () => {
  entry = await world.openEntry('The canoe weighs thirty kilograms.');
  const kept = await page.evaluate(() => new Promise((done) => {
    new MutationObserver((_, observer) => {
      const tags = document.querySelector('form.edit input');
      if (!tags) return;
      observer.disconnect();
      tags.focus();
      // Longer than what is put off until after the next paint.
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(document.activeElement === tags))), 200);
    }).observe(document.body, { childList: true, subtree: true });
    [...document.querySelectorAll('section[aria-label=Entry] button')].find((one) => one.textContent === 'Edit').click();
  }));
  assert.ok(kept);
  await entry.getByRole('button', { name: 'Cancel' }).click();
});

test('a change by somebody else is not written over: both are shown', async () => {
  entry = await world.openEntry('The canoe weighs thirty kilograms.');
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Text' }).fill('The canoe weighs thirty-one kilograms.');
  const { id } = world.json('search', 'canoe').hits[0];
  world.loci(['edit', id, '--tag', 'boats']);
  await entry.getByRole('button', { name: 'Save' }).click();
  await entry.getByText(/changed this entry|no longer|not counts|is not/i).first().waitFor();
  assert.ok(!found('canoe').includes('The canoe weighs thirty-one kilograms.'));
  assert.equal(await entry.getByRole('textbox', { name: 'Text' }).inputValue(), 'The canoe weighs thirty-one kilograms.');
  await entry.getByRole('button', { name: 'Cancel' }).click();
});

test('a correction takes the place of what was wrong', async () => {
  entry = await world.openEntry('Ruth keeps the spare key of the shed.');
  await entry.getByRole('button', { name: 'Correct' }).click();
  await entry.getByRole('textbox', { name: 'What is right' }).fill('Ruth keeps the spare key of the garage.');
  await entry.getByRole('button', { name: 'Save' }).click();
  await told('Corrected');
  assert.deepEqual(found('spare key'), ['Ruth keeps the spare key of the garage.']);
  assert.equal(world.json('search', 'spare key').hits[0].source, 'correction');
  assert.ok(archive().includes('of the shed'), 'the archive only grows');
  entry = page.getByRole('region', { name: 'Entry' });
  await entry.getByRole('button', { name: 'History' }).click();
  await entry.getByText('was corrected by you').waitFor();
  const versions = entry.getByRole('region', { name: 'History of this entry' }).locator('.timeline').first();
  assert.deepEqual((await versions.locator('.row-text, .prose').allInnerTexts()).map((text) => text.trim()), ['Ruth keeps the spare key of the shed.', 'Ruth keeps the spare key of the garage.']);
  const old = page.getByRole('list', { name: 'Entries' }).getByRole('link', { name: 'of the shed.' });
  await world.go('memory?layer=L1');
  await page.getByRole('list', { name: 'Entries' }).getByRole('link', { name: 'of the garage.' }).waitFor();
  assert.equal(await old.count(), 0);
  await page.getByRole('button', { name: 'also what no longer counts' }).click();
  await old.click();
  entry = page.getByRole('region', { name: 'Entry', exact: true });
  await entry.getByRole('button', { name: 'Restore' }).waitFor();
  assert.equal(await entry.getByRole('button', { name: 'Edit' }).count(), 0);
});

test('what is forgotten is found no more, and Undo brings it back', async () => {
  entry = await world.openEntry('The canoe weighs thirty kilograms.');
  await entry.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await told('Forgotten');
  assert.deepEqual(found('canoe'), []);
  assert.match(fs.readdirSync(path.join(world.vault, '.loci/tombstones')).map((name) => world.read(`.loci/tombstones/${name}`)).join(''), /deleted/);
  await undo();
  await until(() => found('canoe').length === 1, 'it to count again');
});

test('what was forgotten before is restored from its own page', async () => {
  entry = await world.openEntry('The canoe weighs thirty kilograms.');
  await entry.getByRole('button', { name: 'Forget' }).waitFor(); // a button Restore is of what comes now
  world.loci(['forget', world.json('search', 'canoe').hits[0].id]);
  await entry.getByRole('button', { name: 'Restore' }).click();
  await until(() => found('canoe').length === 1, 'it to count again');
});

test('a purge wants to be typed, and leaves the words nowhere', async () => {
  entry = await world.openEntry('The bicycle lock opens with four seven one one.');
  await entry.getByRole('button', { name: 'Purge' }).click();
  const dialog = page.getByRole('dialog');
  assert.ok(await dialog.getByRole('button', { name: 'Purge' }).isDisabled());
  await dialog.getByRole('textbox').fill('purge');
  await dialog.getByRole('button', { name: 'Purge' }).click();
  await page.getByText(/Purged from/).waitFor();
  await until(() => world.filesThatHold('four seven one one').length === 0, 'the words to be gone');
});

test('user.md is edited whole, and its undo gives the old bytes', async () => {
  const old = world.read('user.md');
  await world.go('memory?layer=L0');
  await page.getByRole('button', { name: 'Edit user.md' }).click();
  const box = page.getByRole('textbox', { name: 'user.md' });
  await box.fill('# User\n\nLikes to paddle.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await told('Saved user.md');
  assert.equal(world.read('user.md'), '# User\n\nLikes to paddle.\n');
  await undo();
  await until(() => world.read('user.md') === old, 'the old user.md');
});

test('user.md does not grow over its limit', async () => {
  const old = world.read('user.md');
  await page.getByRole('button', { name: 'Edit user.md' }).click();
  await page.getByRole('textbox', { name: 'user.md' }).fill(`# User\n\n${'word '.repeat(300)}\n`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(world.read('user.md'), old);
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a run folds what is pending, shows what it made of what, and is undone', async () => {
  await world.go('consolidation');
  await page.getByRole('button', { name: 'Run now' }).click();
  await until(() => world.json('status').facts.settled > 0, 'facts to be settled');
  await page.getByRole('link', { name: /consolidate, done/ }).first().click();
  await page.getByText('Rests on').first().waitFor();
  assert.ok(world.json('list', '--layer', 'L1').entries.some((one) => one.file.startsWith('consolidated/') && one.id !== 'c-oars'));
  await page.locator('.final').getByText('cannot be undone').waitFor();
  await page.getByRole('button', { name: 'Undo this run' }).click();
  await until(() => world.json('status').facts.settled === 0, 'the facts to be pending again');
  assert.ok(!world.json('list', '--layer', 'L1').entries.some((one) => one.file.startsWith('consolidated/') && one.id !== 'c-oars'));
});

test('an entry is promoted into every prompt, demoted, and each is undone', async () => {
  const core = () => world.read('MEMORY.md').split('loci:core begin')[1];
  entry = await world.openEntry('The paddle tour starts at nine.');
  await entry.getByRole('button', { name: 'Promote' }).click();
  await until(() => core().includes('The paddle tour starts at nine.'), 'its line');
  await entry.getByText('always in the prompt').waitFor();
  await told('It stands in MEMORY.md now');
  await undo();
  await until(() => !core().includes('paddle tour'), 'its line to go');
  await entry.getByRole('button', { name: 'Promote' }).click();
  await until(() => core().includes('paddle tour'), 'its line again');
  await entry.getByRole('button', { name: 'Demote' }).click();
  await until(() => !core().includes('paddle tour'), 'its line to go again');
  await told('Taken out of MEMORY.md');
  await undo();
  await until(() => core().includes('paddle tour'), 'what was demoted to stand there again');
});

test('a setting is written into the vault, and the page outlives the daemon that takes it over', async () => {
  await world.go('settings');
  await page.getByRole('textbox', { name: 'recall.limit' }).fill('9');
  await page.getByRole('textbox', { name: 'recall.limit' }).press('Enter');
  await until(() => /limit = 9/.test(world.read('.loci/config.toml')), 'the setting in its file');
  await page.getByText('up to date').waitFor();
  await world.search('paddle tour');
  await page.getByLabel('Results').getByText('starts at nine').first().waitFor();
});

test('what must not be sent can be added to, and not taken from', async () => {
  await world.go('settings');
  const box = page.getByRole('textbox', { name: 'privacy.never_send' });
  await box.fill('["tag:secret"]');
  await box.press('Enter');
  await until(() => /tag:secret/.test(world.read('.loci/config.toml')), 'the rule');
  await page.getByRole('row', { name: 'privacy.never_send' }).getByText('config.toml').waitFor();
  const refusal = page.getByText(/cannot be taken out/);
  // A daemon that starts anew may not hear the first one; the words stay in the box.
  await until(async () => {
    await box.fill('[]');
    await box.press('Enter');
    return refusal.isVisible();
  }, 'the refusal');
  assert.match(world.read('.loci/config.toml'), /tag:secret/);
});

test('a conversation shows its turns with what was remembered, and is summed up', async () => {
  await world.go('conversations');
  await page.getByRole('link', { name: /lake-trip/ }).click();
  const turn = page.getByRole('article', { name: 'Turn 0' });
  await turn.getByText('When do we paddle').waitFor();
  assert.equal(await turn.locator('strong').innerText(), 'Sunday');
  await turn.getByText('The paddle tour starts at nine.').waitFor();
  await page.getByRole('button', { name: 'End and sum up' }).click();
  await until(() => world.json('list', '--layer', 'L2', '--kind', 'session-summary').entries.length === 1, 'the summary');
  await page.getByRole('heading', { name: 'Summary' }).waitFor();
  await told('The conversation is summed up');
  await undo();
  await until(() => world.json('list', '--layer', 'L2', '--kind', 'session-summary').entries.length === 0, 'the summary to go');
});

test('the whole memory is taken along', async () => {
  await world.go('settings');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as JSON' }).click()]);
  const entries = JSON.parse(fs.readFileSync(await download.path(), 'utf8')).entries.map((one) => one.text);
  assert.ok(entries.includes('The paddle tour starts at nine.'));
  const [markdown] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as markdown' }).click()]);
  assert.match(fs.readFileSync(await markdown.path(), 'utf8'), /^The paddle tour starts at nine\.$/m);
});

test('results are of the time and the source that were chosen', async () => {
  world.add('The pump stands in the yard.');
  world.loci(['add', '--jsonl', '-'], `${JSON.stringify({ text: 'The pump was red once.', at: '2024-01-02T03:00:00Z' })}\n`);
  await world.go('search');
  await world.search('pump');
  const results = page.getByLabel('Results');
  for (const text of ['in the yard', 'red once']) await results.getByText(text).first().waitFor();
  await page.getByLabel('Since').selectOption({ label: 'a week' });
  await results.getByText('red once').waitFor({ state: 'detached' });
  await results.getByText('in the yard').first().waitFor();
  await page.getByLabel('Source').selectOption('agent');
  await page.getByText('Nothing found').waitFor();
  await world.go('search');
});

test('what an editor saves is shown without being asked for', async () => {
  await world.search('heron');
  await page.getByText('Nothing found').waitFor();
  world.write('birds.md', 'A heron nests behind the boat house.\n');
  entry = await world.openEntry('A heron nests behind the boat house.');
  world.write('birds.md', 'A heron nests in the reeds.\n');
  await page.getByLabel('Results').getByText('in the reeds').waitFor();
  await entry.getByRole('alert').getByText('It stands in birds.md no more').waitFor();
});

test('of words that are pasted into the search by the thousand the first are searched', async () => {
  await world.go('search');
  await world.search('');
  await page.evaluate((words) => document.execCommand('insertText', false, words), `oars ${'under the bridge '.repeat(5000)}`);
  await until(async () => /^oars/.test(await page.getByRole('searchbox').inputValue()), 'the words');
  await page.getByLabel('Results').getByText(/oars|Nothing found/).first().waitFor();
  await world.settled();
  assert.equal(await page.getByRole('alert').count(), 0);
});
