// Talking to the daemon. Every request carries the key that this tab got for it (trust.js: only who has proved to know it gets it); the
// cookie goes along by itself. A lost connection is noticed by the stream of events (events.js) or by the next request.
import { state } from './state.js';
import { keyHeader, leave, recover, trust } from './trust.js';

export class ApiError extends Error {
  constructor(status, error = {}) {
    super(error.message || 'the daemon does not answer');
    Object.assign(this, { status, code: error.code, hint: error.hint || '', file: error.file, line: error.line });
  }
}

function target(path, query) {
  const given = Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  const text = new URLSearchParams(given.map(([name, value]) => [name, value === true ? '1' : value])).toString();
  return text ? `${path}?${text}` : path;
}

async function request(method, path, { query, body, match, signal } = {}) {
  if (!(await trust())) throw new ApiError(0);
  const headers = keyHeader();
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (match) headers['If-Match'] = `"${match}"`;
  const sent = fetch(target(path, query), { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  const response = await sent.catch((error) => { if (error.name === 'AbortError') throw error; });
  if (response?.ok) return response;
  // Whoever answers that this login is none has to prove that they know it, too.
  if (!response || response.status === 401) {
    recover();
    throw new ApiError(0);
  }
  const answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, answer.error || { message: answer.failure }); // a run's, whose model failed
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

// Code of the page that was not needed yet. That of another version would not fit.
export async function load(module) {
  if (!(await trust()) || state.isOld) throw new ApiError(0);
  return module();
}

// In every tab of this browser.
export async function logOut() {
  await call('POST', '/memory/log-out');
  leave('You have logged out.');
}
