// A memory as it is after weeks: conversations, runs of a model with what they cost, recalls, and on its last day everything that
// waits for a person. With LOCI_CLOCK, a library that moves the clock, the days are days; without it, all of it is of today.
import { Buffer } from 'node:buffer';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from './world.mjs';

const program = process.env.LOCI;
const modelServer = path.resolve(import.meta.dirname, '../support/model_server.py');

// How many days ago, what was stored, what was asked in the conversation of that day and answered.
const days = [
  [24, ['The deck oven holds twelve loaves and needs forty minutes to reach 250 °C.', 'Rye flour comes from the Hartwell mill on Tuesdays, 50 kg at a time.'], 'oven', 'How long before the first batch do I light the oven?', 'Forty minutes:\n\n1. light it at **four**\n2. load the rye at twenty to five'],
  [21, ['The sourdough starter is fed at six in the morning and at six in the evening.', 'Tomas opens the shop on Mondays and Thursdays.', 'The scales are off by four grams above two kilograms.'], 'starter', 'When is the starter fed?', 'At six, twice a day.'],
  [17, ['The walnut loaf sells out on Saturdays.', 'The steam valve of the oven drips.', 'Anna from the café pays by invoice, within fourteen days.'], 'saturday', 'The walnut loaf was gone by ten again.', 'Then bake thirty next Saturday. See `orders.md` and the note at https://example.org/walnut.'],
  [12, ['Proof the rye loaves for ninety minutes at 26 °C before they go into the oven.', 'The cooling racks go back to the Brandt bakery by the end of the month.'], 'dough', 'How long do the rye loaves proof now that it is colder?', 'Ninety minutes at 26 °C, as you decided in **October**.'],
  [8, ['Tomas opens the shop on Mondays and Fridays now.', 'The café on the square orders sixteen rye loaves every Friday.', 'The steam valve was replaced.', 'The mill raises the price of rye to ninety cents in January.'], 'orders', 'What does the café want on Friday?', 'Sixteen rye loaves. > They asked for *dark* crusts.'],
  [3, ['The delivery van fails to start below zero degrees.', 'The oven inspection is on the ninth of December at eight.'], 'van', 'The van did not start this morning.', 'It was −3 °C. Shall I note that?'],
];
const script = {
  rules: { decide: [{ when_fact: 'Fridays now', replace_entry: 'Mondays and Thursdays', text: 'Tomas opens the shop on Mondays and Fridays.', kind: 'change' }, { when_fact: 'valve was replaced', replace_entry: 'valve', text: 'The steam valve of the oven is new.', kind: 'change' }], promote: ['deck oven'] },
};

async function startModel(folder) {
  const file = path.join(folder, 'script.json');
  const play = (number, fault) => fs.writeFileSync(file, JSON.stringify({ steps: [fault ? { fault, times: 'always' } : { rules: true, times: 'always', usage: { input: 2100 + 1900 * number, output: 240 + 60 * number } }], ...script }));
  play(0);
  const server = spawn('python3', [modelServer, '--with-stdin', '--script', file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise((done) => server.stdout.once('data', (bytes) => done(Number(String(bytes).split('\n')[0]))));
  const end = () => new Promise((done) => { server.once('exit', done); server.stdin.end(); });
  const tell = async (number, fault) => { play(number, fault); await fetch(`http://127.0.0.1:${port}/script`, { method: 'POST', body: fs.readFileSync(file) }); };
  return { port, tell, end };
}

// From now on the program's clock is so many days behind.
function setClock(world, daysAgo) {
  if (!process.env.LOCI_CLOCK) return;
  const file = path.join(world.scratch, 'clock');
  const moves = Buffer.alloc(4096);
  moves.writeBigInt64LE(1n, 0);
  moves.writeBigInt64LE(BigInt(daysAgo) * -86400000000000n, 8);
  fs.writeFileSync(file, moves);
  Object.assign(world.environment, { LD_PRELOAD: process.env.LOCI_CLOCK, MOVED_CLOCK: file });
}

function resetClock(world) {
  delete world.environment.LD_PRELOAD;
  delete world.environment.MOVED_CLOCK;
}

// Consolidation may fail: that is part of a life, too.
function consolidate(world) {
  try {
    world.loci(['consolidate', '--force']);
  } catch (error) {
    if (![1, 6].includes(error.status)) throw error;
  }
}

function liveDay(world, [, facts, session, question, answer]) {
  world.turn(session, question, answer);
  facts.forEach((text, i) => world.add(text, '--project', 'bakery', '--tag', session, ...(i === 0 ? ['--session', session, '--turn', '0'] : [])));
  world.loci(['context', '--session', session, '--turn', '0', '--query', question, '--budget', '110']);
  for (const query of ['oven', 'rye loaves', session]) world.loci(['search', '--', query]);
}

// One entry, corrected on this machine and on another one that did not know of it yet.
export function correctOnTwoMachines(world, query, texts) {
  const { id } = world.json('search', query).hits[0];
  const other = path.join(world.scratch, 'other');
  const stateOfOther = path.join(world.scratch, 'state-of-other');
  fs.cpSync(world.vault, other, { recursive: true });
  execFileSync(program, ['--vault', other, 'correct', id, texts[1]], { env: { ...world.environment, LOCI_HOST: 'laptop', XDG_STATE_HOME: stateOfOther }, stdio: 'pipe' });
  world.loci(['correct', id, texts[0]]);
  // Each machine writes into files of its own.
  for (const folder of ['archive', '.loci/tombstones']) fs.cpSync(path.join(other, folder), path.join(world.vault, folder), { recursive: true, force: false });
  for (const folder of [other, stateOfOther]) fs.rmSync(folder, { recursive: true });
}

export async function liveIn(world) {
  const model = await startModel(world.scratch);
  world.write('user.md', '# User\n\nIda, runs the bakery on Mill Lane with Tomas. Prefers short answers and metric units.\n\n## Language\n\nEnglish at work, *German* with the suppliers.\n');
  const config = path.join(world.scratch, 'config/loci/config.toml');
  fs.mkdirSync(path.dirname(config), { recursive: true });
  fs.writeFileSync(config, `[consolidation]\nmodel = "house"\nmin_facts = 50\n[models.house]\nprovider = "openai"\nbase_url = "http://127.0.0.1:${model.port}"\nmodel = "house-model"\nmax_tokens_a_day = 100000\nprice_per_million = [3.0, 12.0]\n`);
  try {
    for (const [i, day] of days.entries()) {
      setClock(world, day[0]);
      liveDay(world, day);
      await model.tell(i, day[2] === 'van' ? 'prose' : '');
      consolidate(world);
    }
    resetClock(world);
    await model.tell(7, 'prose');
    consolidate(world);
    consolidate(world);
  } finally {
    await model.end();
  }
  // By the rules that are built in: nobody answers for the model any more.
  fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replace('model = "house"\n', ''));
  endDay(world);
}

function endDay(world) {
  world.loci(['session', 'end', 'dough']);
  world.loci(['correct', world.json('search', 'proof the rye loaves').hits[0].id, 'Proof the rye loaves for seventy-five minutes at 28 °C before they go into the oven.']);
  for (const text of ['The spare rye starter is in the small fridge.', 'Ruth takes over the early shift from December on.']) world.add(text, '--project', 'bakery', '--tag', 'team');
}

// What only a person can answer. The daemon runs: it asks whether what was taken out of a file at once was meant. It would wait for a
// machine that has just sent something, so that comes last.
export async function leaveQuestions(world) {
  const [head, ...entries] = world.read('consolidated/memory.md').split(/(?=<!--m )/);
  world.write('consolidated/memory.md', head + entries.slice(-2).join(''));
  await until(() => world.json('resolve').questions.length > 0, 'the question');
  correctOnTwoMachines(world, 'delivery van', ['The delivery van fails to start below five degrees.', 'The delivery van has a new battery and starts.']);
  world.write('notes/prices.md', '# Prices\n\nThe rye loaf costs 4.20.\nThe walnut loaf costs 5.10.\n');
  world.write('notes/prices.sync-conflict-20260101-000000-ABCDEFG.md', '# Prices\n\nThe rye loaf costs 4.40.\nThe walnut loaf costs 5.10.\n');
}
