// Pieces that several views are made of.
import { html, useEffect, useLayoutEffect, useRef, useState } from './htm-preact.js';
import { get } from './api.js';
import { brief, dateOf, number, placeOf, saidAt } from './format.js';
import { say } from './notices.js';
import { entryAddress, useLoad, useStore } from './state.js';

const editorName = 'loci-editor';
export const editor = () => localStorage.getItem(editorName) || 'copy';
export const setEditor = (value) => localStorage.setItem(editorName, value);

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${text}`);
  } catch {
    say(`The browser did not allow copying. It is ${text}`);
  }
}

// Where something stands: copied, or opened in the editor that the settings name.
export function Place({ file, line }) {
  if (!file) return html`<span class="dim">in no file</span>`;
  const text = line ? `${file}:${line}` : file;
  const root = useStore((all) => all.status?.vault);
  if (editor() === 'copy' || !root) return html`<button type="button" class="place" title="Copy" onClick=${() => copy(text)}>${text}</button>`;
  const scheme = editor() === 'vscodium' ? 'vscodium' : 'vscode';
  return html`<a class="place" href=${`${scheme}://file${encodeURI(`${root}/${file}`)}${line ? `:${line}` : ''}`}>${text}</a>`;
}

const shellWord = (word) => word.replace(/[ \t!"#$&'()*;<>?[\\\]^`{|}~]/g, '\\$&');

// A command that is to be typed somewhere: copied with the vault that it is for.
function Command({ text }) {
  const root = useStore((all) => all.status?.vault) || '';
  return html`<button type="button" class="place" title="Copy" onClick=${() => copy(text.replace(/^loci /, `loci --vault ${shellWord(root)} `))}>${text}</button>`;
}

// What the daemon says, with the commands that it names, but for those that want an ID first. What it quotes of a memory names none.
export function Told({ text }) {
  const own = text.lastIndexOf('"') + 1;
  const parts = text.slice(own).split(/'(loci (?:\\.|[\p{L}\p{N} ./_:=@%+,-])+)'/u);
  return [text.slice(0, own), ...parts.map((part, i) => (i % 2 === 0 ? part : / [A-Z]+$/.test(part) ? `'${part}'` : html`<${Command} key=${i} text=${part} />`))];
}

export const Badge = ({ kind, children }) => html`<span class=${`badge ${kind || ''}`}>${children}</span>`;

export function Problem({ error }) {
  if (!error) return null;
  return html`<div class="problem" role="alert"><p>${error.message}</p>${error.hint && html`<p class="dim"><${Told} text=${error.hint} /></p>`}</div>`;
}

export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

// One of a few values, or none, unless `isOne`. An address may ask for another one.
export function Choice({ label, value, options, onChange, isOne }) {
  const all = !value || options.some(([key]) => key === value) ? options : [...options, [value, value]];
  return html`<label class="choice"><span>${label}</span>
    <select class=${value ? 'set' : ''} value=${value || ''} onChange=${(event) => onChange(event.target.value)}>
      ${!isOne && html`<option value="">any</option>`}
      ${all.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
    </select></label>`;
}

// What an address asks for that there is not, as an error; null if all is there. `known`: of each of its parameters the values.
export function unknownIn(params, known) {
  const wrong = Object.keys(known).find((name) => params[name] && !known[name].includes(params[name]));
  return wrong ? new Error(`There is no ${wrong} “${params[wrong]}”. There is ${known[wrong].join(', ')}.`) : null;
}

// Narrow windows show them when asked; how many are set is told meanwhile.
export function Filters({ set: count, children, said }) {
  const [open, setOpen] = useState(false);
  return html`<div class=${`filters ${open ? '' : 'folded'}`} role="group" aria-label="Filters">
    <button type="button" class="chip fold" aria-expanded=${open ? 'true' : 'false'} onClick=${() => setOpen(!open)}>Filters${count > 0 ? ` (${count})` : ''}</button>
    ${children}${said && html`<span class="dim said">${said}</span>`}</div>`;
}

// The first of a list that may be long, and more of it when asked.
export function Some({ of, first = 20, each, within = (items) => items }) {
  const [shown, setShown] = useState(first);
  return html`${within(of.slice(0, shown).map(each))}
    ${of.length > shown && html`<p><button type="button" onClick=${() => setShown(shown * 4)}>Show more</button> <span class="dim">${number(of.length - shown)} are not shown</span></p>`}`;
}

export function Toggle({ pressed, onClick, children }) {
  return html`<button type="button" class="chip" aria-pressed=${pressed ? 'true' : 'false'} onClick=${onClick}>${children}</button>`;
}

export function Budget({ label, used, limit }) {
  const share = limit ? Math.min(1, used / limit) : 0;
  return html`<div class="budget"><span>${label}</span>
    <meter min="0" max=${limit} value=${used} high=${limit * 0.9} aria-label=${label}>${used}</meter>
    <span class=${used > limit ? 'bad' : 'dim'}>${used.toLocaleString('en')} of ${limit.toLocaleString('en')} characters${share >= 1 && used > limit ? ': too long' : ''}</span></div>`;
}

// A short form of an entry that leads to the whole.
export function EntryLink({ entry, children }) {
  const open = useStore((all) => all.route.params.entry);
  return html`<a class=${`row ${entry.status === 'inactive' ? 'inactive' : ''}`} href=${entryAddress(entry.id)}
      aria-current=${open === entry.id ? 'true' : undefined}>
    <span class="row-text" dir="auto">${children || brief(entry.text)}</span>
    <span class="row-meta text"><${Badge} kind=${entry.layer}>${entry.layer}</${Badge}> <bdi>${entry.source}</bdi>${entry.status === 'inactive' ? ' · no longer counts' : ''} ·${' '}
      ${dateOf(saidAt(entry))} · <bdi>${placeOf(entry)}</bdi>${entry.recalls ? ` · recalled ${entry.recalls}×` : ''}</span></a>`;
}

const longestId = 200; // that is asked for: whatever stands as an id in a file comes here

// A link to an entry by what it says; by its id until that is known, and of what is gone.
export function Words({ id, most = 120 }) {
  const entry = useLoad(async (signal) => (id.length > longestId ? null : get(`/memory/entries/${encodeURIComponent(id)}`, { inactive: true }, { signal })), [id]).value?.entry;
  return html`<a href=${entryAddress(id)} dir="auto">${entry ? brief(entry.text, most) : id}</a>`;
}

// The focus stays inside while it is open; Esc closes it, and the focus goes back to where it was.
export function Dialog({ title, onClose, children }) {
  const box = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog ref=${box} aria-label=${title} onCancel=${(event) => { event.preventDefault(); onClose(); }}>
    <h2>${title}</h2>${children}</dialog>`;
}

// One act at a time, and what went wrong with it: what is pressed again meanwhile does nothing.
export function useAct() {
  const [now, setNow] = useState({ busy: false, problem: null });
  const busy = useRef(false);
  const alive = useRef(true);
  useEffect(() => () => { alive.current = false; }, []);
  const act = async (run) => {
    if (busy.current) return;
    busy.current = true;
    setNow({ busy: true, problem: null });
    let problem = null;
    try {
      await run();
    } catch (error) {
      problem = error;
    }
    busy.current = false;
    if (alive.current) setNow({ busy: false, problem });
  };
  return { ...now, act };
}

// A button that waits for what it does, and shows what went wrong.
export function Action({ run, children, kind = '', disabled }) {
  const { busy, problem, act } = useAct();
  return html`<button type="button" class=${kind} disabled=${disabled || busy} onClick=${() => act(run)}>${children}</button><${Problem} error=${problem} />`;
}

// Stands beside what can be done and not taken back, before it is done.
export const Final = ({ children }) => html`<p class="dim final">${children}</p>`;

// Rows of one height, of which only those are drawn that can be seen. `row(i)` draws one; `onNeed(i)` is told which come into sight.
export function Windowed({ count, height, row, onNeed, label }) {
  const box = useRef(null);
  const [view, setView] = useState({ top: 0, size: 900 });
  const look = () => box.current && setView({ top: box.current.scrollTop, size: box.current.clientHeight || 900 });
  useLayoutEffect(() => {
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  const first = Math.max(0, Math.floor(view.top / height) - 8);
  const last = Math.min(count, Math.ceil((view.top + view.size) / height) + 8);
  useEffect(() => onNeed?.(last));
  const shown = [];
  for (let i = first; i < last; i++) {
    shown.push(html`<div role="listitem" aria-setsize=${count} aria-posinset=${i + 1} class="window-row" style=${{ top: `${i * height}px`, height: `${height}px` }} key=${i}>${row(i)}</div>`);
  }
  return html`<div class="window" ref=${box} onScroll=${look} tabindex="-1"><div role="list" aria-label=${label} style=${{ height: `${count * height}px` }}>${shown}</div></div>`;
}
