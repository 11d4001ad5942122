// Two memories, each asked over its own MCP server on stdio, the same facts in both: how long from the start of the process to the
// first answer, a new fact, a question of one rare word; the memory of the process; and of a hundred messages as a person writes
// them (half of them have an answer among sixty memories) how often the answer came, and how often nothing should have come and did.
//   node bench/others/server_memory.mjs LOCI MCP_SERVER_MEMORY [FACTS]
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [loci, reference, count = '10000'] = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'loci-others-'));
const environment = { PATH: process.env.PATH, HOME: scratch, LOCI_HOST: 'bench', LANG: 'C.UTF-8' };

class Server {
  constructor(program, args, more) {
    this.process = spawn(program, args, { env: { ...environment, ...more }, stdio: ['pipe', 'pipe', 'ignore'] });
    this.waiting = new Map();
    this.last = 0;
    let rest = '';
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.take(JSON.parse(line));
    });
  }

  take(message) {
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  send(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  ask(method, params) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) => {
        if (error || result.isError) reject(new Error(JSON.stringify(error ?? result)));
        else resolve(result);
      });
      this.send({ id, method, params });
    });
  }

  async open() {
    await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    this.send({ method: 'notifications/initialized' });
    return this;
  }

  call(name, args) {
    return this.ask('tools/call', { name, arguments: args });
  }

  residentMegabytes() {
    return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))[1]) / 1024;
  }

  close() {
    const ended = new Promise((done) => { this.process.once('exit', done); });
    this.process.stdin.end();
    this.process.kill();
    return ended;
  }
}

// Both have: store(facts) before anything is measured, open(), add(fact), find(words) with the texts that were found.
class Loci {
  name = 'loci';
  constructor(name) {
    this.folder = path.join(scratch, `loci-${name}`);
  }

  run(args, input) {
    const done = spawnSync(loci, args, { env: { ...environment, LOCI_VAULT: this.folder }, input, maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`loci ${args[0]}: ${done.stderr}`);
  }

  store(facts) {
    this.run(['init', this.folder]);
    this.run(['add', '--jsonl'], facts.map((text) => JSON.stringify({ text })).join('\n'));
  }

  async open() {
    this.server = await new Server(loci, ['mcp', '--vault', this.folder], {}).open();
  }

  add(fact) {
    return this.server.call('memory_write', { action: 'add', content: fact });
  }

  async find(words) {
    const found = await this.server.call('memory_search', { query: words, precise: true });
    return found.structuredContent.hits.map((hit) => hit.text);
  }
}

class Reference {
  name = 'reference memory server';
  constructor(name) {
    this.file = path.join(scratch, `graph-${name}.json`);
  }

  entity(fact, number) {
    return { name: `fact ${number}`, entityType: 'fact', observations: [fact] };
  }

  store(facts) {
    this.number = facts.length;
    fs.writeFileSync(this.file, facts.map((fact, at) => JSON.stringify({ type: 'entity', ...this.entity(fact, at) })).join('\n'));
  }

  async open() {
    this.server = await new Server(reference, [], { MEMORY_FILE_PATH: this.file }).open();
  }

  add(fact) {
    return this.server.call('create_entities', { entities: [this.entity(fact, this.number++)] });
  }

  async find(words) {
    const found = await this.server.call('search_nodes', { query: words });
    return found.structuredContent.entities.flatMap((entity) => entity.observations);
  }
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

function facts(number) {
  const things = 'oven dough starter flour tray mixer scale order invoice van cellar salt crust recipe shift'.split(' ');
  const deeds = 'heats rests weighs arrives breaks cools rises waits sells burns moves costs'.split(' ');
  return Array.from({ length: number }, (_, at) =>
    `The ${things[at % things.length]} ${deeds[(at * 7) % deeds.length]} beside the ${things[(at * 11 + 3) % things.length]}, lot${at}.`);
}

async function speed(memory) {
  memory.store(facts(Number(count)));
  const starts = [], adds = [], finds = [];
  for (let round = 0; round < 5; round++) {
    starts.push(await timed(async () => {
      await memory.open();
      await memory.find('lot777');
    }));
    if (round < 4) await memory.server.close();
  }
  for (let at = 0; at < 30; at++) {
    adds.push(await timed(() => memory.add(`A new thing was said, sign${at}.`)));
    finds.push(await timed(async () => {
      const found = await memory.find(`sign${at}`);
      if (found.length !== 1) throw new Error(`${memory.name}: ${found.length} entries have sign${at}`);
    }));
  }
  const resident = memory.server.residentMegabytes();
  await memory.server.close();
  return {
    'start to first answer, ms': median(starts),
    'a new fact, ms': median(adds),
    'that fact found, ms': median(finds),
    'resident, MB': resident,
  };
}

// The set that the tests hold, read from its source: {id, text} and {message, wanted ids}.
function questions() {
  const source = fs.readFileSync(new URL('../../tests/recall/precision_set.h', import.meta.url), 'utf8');
  const pairs = /\{"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\}/g;
  const [memories, messages] = source.split('precision_messages').map((part) =>
    [...part.matchAll(pairs)].map((pair) => pair.slice(1).map((text) => JSON.parse(`"${text}"`))));
  return { memories: new Map(memories), messages };
}

async function answers(memory) {
  const { memories, messages } = questions();
  memory.store([...memories.values()]);
  await memory.open();
  let wanted = 0, found = 0, silent = 0;
  for (const [message, ids] of messages) {
    const texts = await memory.find(message);
    if (ids === '') {
      silent += texts.length === 0;
      continue;
    }
    wanted++;
    found += ids.split(' ').some((id) => texts.slice(0, 5).some((text) => text.includes(memories.get(id))));
  }
  await memory.server.close();
  return {
    [`of ${wanted} questions answered among the first five`]: found,
    [`of ${messages.length - wanted} others, nothing said`]: silent,
  };
}

const columns = [];
for (const Memory of [Loci, Reference]) {
  const memory = new Memory('speed');
  columns.push({ name: memory.name, ...(await speed(memory)), ...(await answers(new Memory('questions'))) });
}
fs.rmSync(scratch, { recursive: true });
console.log(`${count} facts`);
for (const what of Object.keys(columns[0]).slice(1)) {
  const [ours, theirs] = columns.map((column) => column[what]);
  const digits = Number.isInteger(ours) && Number.isInteger(theirs) ? 0 : 1;
  const both = columns.map((column) => `${column.name} ${column[what].toFixed(digits)}`).join(', ');
  console.log(`${what}: ${both}${digits ? `, ratio ${(theirs / ours).toFixed(1)}` : ''}`);
}
