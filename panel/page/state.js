// What all views share, and where the page is. The address holds the view and what is open in it ("#/memory?layer=L1&entry=abc"), so
// that going back works and an address can be kept; nothing in it is secret.
import { useEffect, useState } from './htm-preact.js';

export const state = {
  connection: 'new', // 'live', 'lost' (tried again), 'out' (not logged in)
  lost: '', // for a while: 'silent' (nobody answers), 'stranger' (somebody else does)
  why: '', // it is not logged in
  isOld: false, // the daemon has another page by now
  version: 0, // goes up with every change in the memory
  status: null, // as /memory/status
  running: false, // a consolidation
  work: null, // { what, done, total } of it
  notices: [], // { key, text, undo, isAgain, trouble }: notices.js
  query: '',
  route: { view: 'search', params: {} },
};

const listeners = new Set();

export function set(patch) {
  Object.assign(state, patch);
  for (const listener of [...listeners]) listener();
}

// A part of the state; the component is drawn again when that changes.
export function useStore(select) {
  const [value, setValue] = useState(() => select(state));
  useEffect(() => {
    const look = () => setValue(() => select(state));
    listeners.add(look);
    look();
    return () => listeners.delete(look);
  }, []);
  return value;
}

export function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  set({ route: { view: path || 'search', params: Object.fromEntries(new URLSearchParams(query || '')) } });
}

export function addressOf(view, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ''}`;
}

export function go(view, params, { replace = false } = {}) {
  const address = addressOf(view, params);
  if (location.hash === address) return;
  if (replace) {
    history.replaceState(null, '', address);
    readAddress();
  } else {
    location.hash = address;
  }
}

export const entryAddress = (id) => addressOf(state.route.view, { ...state.route.params, entry: id });
export const openEntry = (id) => go(state.route.view, { ...state.route.params, entry: id });
export const closeEntry = () => go(state.route.view, { ...state.route.params, entry: undefined });

// What `load` gives, again whenever `inputs` or the memory changes; the old value stays until the new one is there, and while the
// daemon has trouble.
export function useLoad(load, inputs) {
  const version = useStore((all) => all.version);
  const [result, setResult] = useState({ value: null, error: null });
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => abort.signal.aborted || setResult({ value, error: null }),
      (error) => abort.signal.aborted || error.status === 0 || setResult((old) => ({ value: error.status >= 500 ? old.value : null, error })),
    );
    return () => abort.abort();
  }, [version, ...inputs]);
  return result;
}
