// What the daemon tells of by itself: how the memory is, sent again whenever it is another one. Nothing is asked for meanwhile. A page
// that nobody sees listens to nothing: when it is seen again it is told how everything is, and reloads if that is other than before.
import { listen } from './api.js';
import { set, state } from './state.js';
import { doubt, heard as hasSign, pause, recover, silence } from './trust.js';

const burst = 50; // milliseconds; changes that come together are one

const last = new Map(); // event -> its data, as text
let announced = 0;

function reload() {
  announced ||= setTimeout(() => {
    announced = 0;
    set({ version: state.version + 1 });
  }, burst);
}

// What an event says, and what of it the views have to be loaded again for.
const meanings = {
  index: ({ generation, entries, facts }) => {
    if (state.status) set({ status: { ...state.status, entries, facts } });
    return [generation, entries, facts];
  },
  runs: ({ running, work, runs }) => {
    set({ work, running });
    return [running, runs];
  },
  questions: ({ questions }) => questions,
};

function heard(name, text) {
  if (name === 'files') return reload();
  const meaning = meanings[name];
  if (!meaning) return undefined;
  const now = JSON.stringify(meaning(JSON.parse(text)));
  const before = last.get(name);
  last.set(name, now);
  // The first time it is what the page has loaded, unless that was older.
  const isNews = before === undefined ? name === 'index' && state.status && state.status.index.generation !== JSON.parse(now)[0] : before !== now;
  return isNews && reload();
}

async function read(reader, alive) {
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const found = /^event: (\w+)\ndata: (.*)$/m.exec(block);
      if (found) heard(found[1], found[2]);
    }
  }
}

// True if it ended because nobody sees the page any more.
async function followOnce() {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), silence);
  const alive = () => {
    hasSign();
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), silence);
  };
  let isHidden = false;
  const hidden = () => {
    isHidden = true;
    abort.abort();
  };
  document.addEventListener('visibilitychange', hidden);
  try {
    await read(await listen('/memory/events', abort.signal), alive);
    doubt();
  } catch (error) {
    doubt();
    if (error.status > 0) await pause(1000);
  }
  clearTimeout(timer);
  document.removeEventListener('visibilitychange', hidden);
  return isHidden;
}

const seen = () => new Promise((done) => { document.addEventListener('visibilitychange', done, { once: true }); });

let isFollowing = false;

// For as long as the page lives and is logged in.
export async function follow() {
  if (isFollowing) return;
  isFollowing = true;
  while (state.connection !== 'out') {
    if (document.hidden) await seen();
    else if (!(await followOnce()) && state.connection !== 'out') await recover();
  }
  isFollowing = false;
}
