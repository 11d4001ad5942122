// Talking to the daemon. Every request but the exchange of the token carries the key that this tab got for it; the cookie goes along
// by itself. A lost connection is noticed by the stream of events (events.js) or by the next request. Then nothing carries the key
// until whoever answers has proved that it knows it: meanwhile another user of this machine may listen on the port. Until then it is
// out of sessionStorage, too: whoever listens could answer a reload with a page of theirs, which reads what this origin has stored.
import { set, state } from './state.js';

const keyName = 'loci-key';
const retries = [100, 400, 1000, 2000, 4000]; // milliseconds; the last one again and again
const patience = 3000; // milliseconds

let key = '';
let entering = null;

function keep(value) {
  key = value;
  if (value) sessionStorage.setItem(keyName, value);
  else sessionStorage.removeItem(keyName);
}

export class ApiError extends Error {
  constructor(status, error = {}) {
    super(error.message || 'the daemon does not answer');
    Object.assign(this, { status, code: error.code, hint: error.hint || '', file: error.file, line: error.line });
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function post(path, body) {
  const response = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

// The token of the address, if there is one, becomes a login; else the login that this tab had goes on as soon as who answers has
// proved to know its key. Requests wait for it.
export function logIn() {
  entering = enter();
  return entering;
}

async function enter() {
  const token = location.hash.slice(1);
  key = sessionStorage.getItem(keyName) || '';
  if (/^[0-9a-f]{64}$/.test(token)) {
    history.replaceState(null, '', '/#/');
    const answer = await post('/login', { token }).catch(() => null);
    if (answer?.status === 200) {
      keep(answer.body.key);
      return set({ connection: 'live' });
    }
  }
  if (!key) return set({ connection: 'out' });
  if (!(await isProved().catch(() => false)) && state.connection !== 'out') recover();
  else if (state.connection !== 'out') set({ connection: 'live' });
  return undefined;
}

// Whether who answers knows this tab's key.
async function isProved() {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await post('/login?proof', { nonce });
  if (answer.status === 401) {
    keep('');
    set({ connection: 'out' });
    return false;
  }
  const text = new TextEncoder();
  const secret = text.encode(hex(await crypto.subtle.digest('SHA-256', text.encode(key))));
  const hmac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return answer.body.proof === hex(await crypto.subtle.sign('HMAC', hmac, text.encode(`${location.host} ${nonce}`)));
}

let recovering = null;
let isLeft = false;

// A page that is left, or loaded again, loses its connections, too: that tells nothing about who listens, and its login goes on.
for (const name of ['beforeunload', 'pagehide']) {
  addEventListener(name, () => {
    isLeft = true;
    setTimeout(() => { isLeft = false; }, patience);
  });
}

// Asks until whoever answers has proved to know this tab's key.
export function recover() {
  recovering ??= (async () => {
    while (isLeft) await pause(patience);
    sessionStorage.removeItem(keyName);
    set({ connection: 'lost' });
    for (let i = 0; state.connection === 'lost'; i++) {
      await pause(retries[Math.min(i, retries.length - 1)]);
      try {
        if (await isProved()) {
          keep(key);
          set({ connection: 'live', version: state.version + 1 });
        }
      } catch {
        // nobody listens yet
      }
    }
    recovering = null;
  })();
  return recovering;
}

function target(path, query) {
  const given = Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  const text = new URLSearchParams(given.map(([name, value]) => [name, value === true ? '1' : value])).toString();
  return text ? `${path}?${text}` : path;
}

async function request(method, path, { query, body, match, signal } = {}) {
  await entering;
  if (state.connection === 'lost') await Promise.race([recovering, pause(patience)]);
  if (state.connection === 'lost' || state.connection === 'out') throw new ApiError(0);
  const headers = { 'X-Loci-Key': key };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (match) headers['If-Match'] = `"${match}"`;
  let response;
  try {
    response = await fetch(target(path, query), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    recover();
    throw new ApiError(0);
  }
  if (response.status === 401) set({ connection: 'out' });
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, answer.error);
}

// The answer's JSON, or with `raw` its text. Waits a little for a daemon that starts anew. Throws an ApiError: status 0 while the
// connection is lost.
export async function call(method, path, options = {}) {
  const response = await request(method, path, options);
  return options.raw ? response.text() : response.json().catch(() => ({}));
}

export const get = (path, query, options) => call('GET', path, { ...options, query });

// An answer that goes on, piece by piece.
export async function listen(path, signal) {
  const response = await request('GET', path, { signal });
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
}
