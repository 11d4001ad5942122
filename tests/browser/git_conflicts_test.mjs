// What git left of a merge, a rebase or a stash, answered by click: the files say what was chosen, and an answer that is taken back leaves
// the file, and git, as they were.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { World, until } from './world.mjs';

const entry = (id, text) => `<!--m {"id":"${id}","source":"user","first_seen":"2026-01-02"}-->\n${text}\n`;
// Each file, with a word that both sides changed, and what it says if both are kept.
const files = {
  'user.md': [(word) => `# User\n\nLives by the lake.\n\nRows ${word}.\n\nSings.\n`, /(Rows (mine|theirs)\.\n\n){2}/],
  'MEMORY.md': [(word) => `# Memory\n\nMy own line.\n\n<!-- loci:core begin -->\n<!--m {"ref":"c-boat"}-->\n- The boat is ${word}.\n<!-- loci:core end -->\n`, /^- The boat is (mine\. The boat is theirs|theirs\. The boat is mine)\.$/m],
  'consolidated/oars.md': [(word) => `# Oars\n\n${entry('c-oars', `The oars are ${word}.`)}\n${entry('c-mast', 'The mast is new.')}`, /(The oars are (mine|theirs)\.\n\n){2}/],
  'notes/plan.md': [(word) => `# Plan\n\nWe go ${word}.\n\nAnd home.\n`, /(We go (mine|theirs)\.\n\n){2}/],
  'notes/boat.png': [(word) => `\x89PNG\0${word}`, null],
};
const names = Object.keys(files);

function git(world, ...words) {
  const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: world.vault, env: world.environment, encoding: 'utf8' });
  return done.stdout;
}

// A stash is no merge that is under way: the line that was chosen corrects its entry at once, and has the ref of what took its place.
const withoutRef = (text) => text.replace(/"ref":"[^"]+"/, '"ref":"c-boat"');

const write = (world, word) => names.forEach((name) => world.write(name, files[name][0](word)));
const unmerged = (world) => git(world, 'ls-files', '--unmerged');

// The second machine's words are on the branch "other"; ours are where each kind of conflict has them.
function diverge(world, kind) {
  world.write('consolidated/boat.md', `# Boat\n\n${entry('c-boat', 'The boat is old.')}`);
  write(world, 'old');
  world.loci(['init', '--git']);
  git(world, 'branch', '-M', 'main');
  world.loci(['list']);
  git(world, 'add', '-A');
  git(world, 'commit', '-qm', 'old');
  git(world, 'checkout', '-qb', 'other');
  write(world, 'theirs');
  git(world, 'commit', '-qam', 'theirs');
  git(world, 'checkout', '-q', 'main');
  write(world, 'mine');
  world.loci(['list']);
  if (kind === 'stash') {
    git(world, 'stash', '-q');
    git(world, 'merge', '-q', 'other');
    git(world, 'stash', 'pop');
  } else {
    git(world, 'commit', '-qam', 'mine');
    git(world, kind, 'other');
  }
  for (const name of names) assert.ok(unmerged(world).includes(`\t${name}\n`), `${name} is in conflict`);
}

for (const kind of ['merge', 'rebase', 'stash']) {
  test(`what a ${kind} left is answered by click, and stands as it stood when that is taken back`, async () => {
    const world = new World();
    try {
      diverge(world, kind);
      await world.startDaemon();
      const page = await world.open();
      await world.go('health');
      const button = (name) => page.getByRole('button', { name, exact: true });
      for (const [name, [says, both]] of Object.entries(files)) {
        const bytes = () => fs.readFileSync(path.join(world.vault, name), 'utf8');
        const card = page.getByRole('article', { name: `Question about ${name}` });
        await card.waitFor();
        if (both) {
          assert.equal(await card.locator('.sides').count(), 1, `${name}: one change is one row`);
          await card.locator('.side', { hasText: 'Ours' }).getByText('mine').waitFor();
          await card.locator('.side', { hasText: 'Theirs' }).getByText('theirs').waitFor();
        }
        assert.equal(await card.getByRole('button', { name: 'Keep both' }).count(), both ? 1 : 0);
        const [before, stages] = [bytes(), unmerged(world)];
        const answers = [['Take theirs', (text) => assert.equal(text, says('theirs'))], ['Take ours', (text) => assert.equal(text, says('mine'))], ['Keep both', (text) => assert.match(text, both)]];
        // Where git turns the sides around, which is which is told by one answer.
        for (const [answer, check] of answers.slice(0, kind !== 'merge' ? 1 : both ? 3 : 2)) {
          await card.getByRole('button', { name: answer }).click();
          await world.told('Put together');
          check(kind === 'stash' ? withoutRef(bytes()) : bytes());
          const follows = kind === 'stash' && name === 'MEMORY.md';
          const entrySays = (words) => fs.readFileSync(path.join(world.vault, 'consolidated/boat.md'), 'utf8').includes(`\nThe boat is ${words}.\n`);
          if (follows) await until(() => entrySays('theirs'), 'the entry to say what the line says');
          if (answer === 'Keep both') for (const word of ['mine', 'theirs']) assert.ok(bytes().includes(` ${word}.`), `${name} has ${word}`);
          assert.doesNotMatch(bytes(), /<<<<<<<|>>>>>>>/);
          assert.ok(!unmerged(world).includes(`\t${name}\n`), `git knows that ${name} is answered`);
          await button('Undo').click();
          await world.told('Undone');
          assert.equal(bytes(), before, `${name}, after ${answer} was taken back`);
          if (follows) assert.ok(entrySays('old'), 'the entry says what it said');
          assert.equal(unmerged(world), stages, `git has ${name} as it had it`);
          await card.waitFor();
        }
        await card.getByRole('button', { name: 'Take ours' }).click();
        await world.told('Put together');
        await card.waitFor({ state: 'detached' });
      }
      await until(() => world.json('resolve').questions.length === 0, 'nothing to wait');
      assert.equal(unmerged(world), '');
    } finally {
      await world.close();
    }
  });
}
