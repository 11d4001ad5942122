// Whether this tab may send its key. A port is anybody's: where the daemon listened, another user of this machine may listen next. So
// the key goes to who has proved to know it, and for as long as the stream of events goes on (events.js): that ends with the daemon.
// Whatever leaves a gap is a doubt. Before the next proof nothing is sent and no code of the page is loaded, and the key is out of
// sessionStorage, which is open to whoever answers a reload. Nor does anybody else's word end a login: the key stays until who knows it
// says that it ended.
import { say } from './notices.js';
import { set, state } from './state.js';

const keyName = 'loci-key';
const retries = [100, 400, 1000, 2000, 4000]; // milliseconds; the last one again and again
const patience = 3000; // milliseconds
const longestProof = 10000; // milliseconds
export const silence = 35000; // milliseconds; a sign of life comes every 15 s

let key = '';
let isTrusted = false;
let doubts = 0;
let heardAt = 0;
let isLeft = false;
let isStranger = false; // who answered last could not prove anything
let entering = null;
let proving = null;
let recovering = null;

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
export const keyHeader = () => ({ 'X-Loci-Key': key });

// The daemon gave a sign of life. A machine that slept has heard none for long, whatever its timers say.
export function heard() {
  heardAt = Date.now();
}

export function doubt() {
  isTrusted = false;
  doubts++;
  if (!isLeft) sessionStorage.removeItem(keyName);
}

// A page that nobody sees does not listen.
document.addEventListener('visibilitychange', doubt);

// A page that is left, or loaded again, loses its connections, too: that tells nothing about who listens, and its login goes on.
for (const name of ['beforeunload', 'pagehide']) {
  addEventListener(name, () => {
    isLeft = true;
    setTimeout(() => {
      isLeft = false;
      if (!isTrusted) sessionStorage.removeItem(keyName);
    }, patience);
  });
}

// While a person is asked whether to leave, everything waits: the daemon may end meanwhile, and whoever has its port then answers.
// Whoever stays has the key kept again by the next proof.
export function hold() {
  doubt();
  sessionStorage.removeItem(keyName);
  setTimeout(isProved);
}

let version = ''; // of the page that the daemon has

function believe(known, page) {
  key = known;
  if (version && page !== version) set({ isOld: true });
  version = page;
  isTrusted = true;
  heard();
  if (!document.hidden) sessionStorage.setItem(keyName, key);
}

// The login is over, as far as this tab knows.
export function leave(why = '') {
  key = '';
  doubt();
  sessionStorage.removeItem(keyName);
  set({ connection: 'out', why });
}

// --- the proof ---

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function ask(path, body) {
  const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal: AbortSignal.timeout(longestProof) });
  return { status: response.status, body: await response.json().catch(() => ({})) };
}

async function proofOf(nonce) {
  const text = new TextEncoder();
  const secret = text.encode(hex(await crypto.subtle.digest('SHA-256', text.encode(key))));
  const hmac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', hmac, text.encode(`${location.host} ${nonce}`)));
}

async function prove() {
  const before = doubts;
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const [expected, ended, { body }] = await Promise.all([proofOf(nonce), proofOf(`${nonce} ended`), ask('/login?proof', { nonce })]);
  const says = (proofs, one) => Array.isArray(proofs) && proofs.includes(one);
  if (state.connection === 'out') return false;
  if (says(body?.ended, ended)) {
    leave('This login has ended: you logged out, its 12 hours are over, or more than 16 pages were opened since.');
    return false;
  }
  isStranger = !says(body?.proofs, expected);
  if (isStranger) return false;
  if (doubts !== before) return prove();
  believe(key, body.page);
  return true;
}

// True once who answers knows this tab's key.
function isProved() {
  proving ??= prove().catch(() => { isStranger = false; return false; }).finally(() => { proving = null; });
  return proving;
}

// True if what is secret may be sent now. Waits a little for a daemon that starts anew.
export async function trust() {
  await entering;
  if (state.connection === 'out') return false;
  if (isTrusted && !document.hidden && Date.now() - heardAt <= silence) return true;
  if (state.connection !== 'lost' && (await isProved())) return true;
  if (state.connection !== 'out') await Promise.race([recover(), pause(patience)]);
  return isTrusted;
}

// Asks until whoever answers has proved to know this tab's key.
export function recover() {
  doubt();
  recovering ??= search().finally(() => { recovering = null; });
  return recovering;
}

async function search() {
  while (isLeft) await pause(patience);
  if (state.connection !== 'out') set({ connection: 'lost', lost: '' });
  for (let i = 0; state.connection === 'lost'; i++) {
    await pause(retries[Math.min(i, retries.length - 1)]);
    if (state.connection !== 'lost') return;
    if (await isProved()) set({ connection: 'live', version: state.version + 1 });
    else if (isStranger || i > 2) set({ lost: isStranger ? 'stranger' : 'silent' });
  }
}

// --- the login ---

// What stands in the address where a token does: some programs add a blank when it is copied, or lose its end.
const given = () => /^[0-9a-f]{16,}$/i.exec(location.hash.slice(1).replace(/%20|%0[ad]|\s/gi, ''))?.[0] || '';

export const hasToken = () => given() !== '';

// The token of the address, if there is one, becomes a login; else the login that this tab had goes on as soon as who answers has
// proved to know its key. Requests wait for it.
export function logIn() {
  entering = enter();
  return entering;
}

async function enter() {
  const token = given();
  key ||= sessionStorage.getItem(keyName) || '';
  let why = '';
  if (token) {
    history.replaceState(null, '', '/#/');
    const answer = token.length === 64 && (await ask('/login', { token }).catch(() => null));
    if (answer?.status === 200) {
      believe(answer.body.key, answer.body.page);
      return set({ connection: 'live', why });
    }
    why = answer ? 'this address was used already, or is too old' : answer === false ? 'this address is not whole' : 'nobody answered';
  }
  if (!key) return leave(why);
  if (await isProved()) {
    set({ connection: 'live' });
    if (why) say(`You were logged in already: ${why}`);
  } else if (state.connection !== 'out') {
    recover();
  } else if (why) {
    set({ why });
  }
  return undefined;
}
