// The whole memory by layer: what is in every prompt, what is known, what was said. Rows are fetched as they come into sight.
import { html, useEffect, useRef, useState } from './htm-preact.js';
import { call, get } from './api.js';
import { brief, counted, dateOf, number, placeOf, saidAt } from './format.js';
import { Conflict, useDraft } from './drafts.js';
import { focusSoon } from './focus.js';
import { markdown } from './markdown.js';
import { say } from './notices.js';
import { Badge, Budget, Choice, Empty, Filters, Problem, Toggle, unknownIn, useAct, Windowed } from './parts.js';
import { line } from './plot.js';
import { entryAddress, go, useLoad, useStore } from './state.js';
import { undoUserFile } from './undo.js';

const pageSize = 200;
const layers = [['L0', 'Always in the prompt'], ['L1', 'What is known'], ['L2', 'The past']];

// --- user.md ---

const withoutComments = (text) => text.replace(/<!--[\s\S]*?-->/g, '');

function UserFile() {
  const { value: file, error } = useLoad((signal) => get('/memory/user-file', null, { signal }), []);
  const [draft, type, putAway] = useDraft('user.md', null);
  const box = useRef(null);
  const [now, setNow] = useState(null);
  const { problem, busy, act } = useAct();
  if (error) return html`<${Problem} error=${error} />`;
  if (!file) return null;
  const leave = () => {
    focusSoon(() => document.querySelector('[data-opens=user-file]'));
    putAway();
    setNow(null);
  };
  const begin = () => {
    type({ text: file.text, seen: file });
    focusSoon(() => box.current);
  };
  const save = (seen) => act(async () => {
    setNow(null);
    type({ seen });
    let after;
    try {
      after = await call('POST', '/memory/user-file', { body: { text: draft.text, hash: seen.hash } });
    } catch (failed) {
      after = await get('/memory/user-file').catch(() => seen);
      if (after.hash === seen.hash) throw failed;
    }
    // It may be there though the answer was lost.
    if (after.text !== draft.text) return setNow(after);
    leave();
    return say('Saved user.md', () => undoUserFile(seen, after));
  });
  // Comments and blank ends do not count; the daemon says what does.
  const length = Array.from(withoutComments(draft?.text ?? '').replace(/\n{3,}/g, '\n\n').trim()).length;
  return html`<${Budget} label="user.md" used=${file.used} limit=${file.limit} /><${Budget} label="MEMORY.md" used=${file.core.used} limit=${file.core.limit} />
    ${file.lost.length > 0 && html`<p class="bad">${counted(file.lost.length, 'line')} of user.md reach no prompt: the file is too long.</p>`}
    ${!draft ? html`${file.used > 0 && html`<div class="card">${markdown(withoutComments(file.text))}</div>`}<div class="actions"><button type="button" data-opens="user-file" onClick=${begin}>Edit user.md</button></div>` : html`
      <div class="stack"><label>user.md<textarea ref=${box} rows="14" value=${draft.text} onInput=${(event) => type({ text: event.target.value })}></textarea></label>
        <p class=${length > file.limit ? 'bad' : 'dim'}>about ${number(length)} of ${number(file.limit)} characters</p>
        ${now && html`<${Conflict} what="user.md" mine=${draft.text} now=${now.text} onMine=${() => save(now)} onNow=${leave} />`}<${Problem} error=${problem} />
        <div class="actions"><button type="button" class="primary" disabled=${busy} onClick=${() => save(draft.seen)}>Save</button><button type="button" onClick=${leave}>Cancel</button></div></div>`}`;
}

// --- the rows ---

// What the list is grouped by, as it changes from row to row: a section of a file, or a conversation of a day.
function groupOf(entry) {
  if (entry.layer === 'L2') return `${dateOf(saidAt(entry))}${entry.session ? ` · ${entry.session}` : ''}`;
  return [entry.file, ...entry.section].filter(Boolean).join(' › ');
}

// What was recalled comes whole, most often first; the other filters are looked at here.
async function recalledRows({ layer, source, kind, tag }) {
  const { entries } = await get('/memory/recalled', { layer });
  return { entries: entries.filter((one) => (!source || one.source === source) && (!kind || one.kind === kind) && (!tag || one.tags.includes(tag))) };
}

// What was never recalled: pages are read until one has some of it.
async function neverRecalledRows(filters, limit, after) {
  for (;;) {
    const page = await get('/memory/entries', { ...filters, limit, after: after || undefined });
    const entries = page.entries.filter((one) => !one.recalls);
    if (entries.length || !page.next) return { entries, next: page.next };
    after = page.next;
  }
}

const waysToList = {
  most: (filters) => recalledRows(filters),
  never: neverRecalledRows,
  all: (filters, limit, after) => get('/memory/entries', { ...filters, limit, after: after || undefined }),
};

function useRows({ recalled, ...filters }) {
  const version = useStore((all) => all.version);
  const [list, setList] = useState({ rows: [], next: '', loaded: false, error: null });
  const wanted = useRef(0);
  const busy = useRef(false);
  const sight = useRef(0); // the last row that was to be seen
  const key = JSON.stringify([recalled, filters]);
  const fetchPage = async (after, known, size) => {
    busy.current = true;
    const mine = wanted.current;
    let got = { rows: known, next: after, loaded: true, error: null };
    try {
      do {
        const page = await waysToList[recalled](filters, size, got.next);
        got = { ...got, rows: got.rows.concat(page.entries), next: page.next || '' };
      } while (got.next && got.rows.length < sight.current && mine === wanted.current);
    } catch (error) {
      got = error.status === 0 ? null : { ...got, next: '', error };
    }
    if (mine !== wanted.current) return;
    busy.current = false;
    if (got) setList(got);
  };
  const shown = useRef(key);
  useEffect(() => {
    wanted.current++;
    if (shown.current !== key) sight.current = 0;
    shown.current = key;
    // As far as somebody has scrolled: the rows stay under their eyes.
    fetchPage('', [], Math.min(1000, Math.max(pageSize, sight.current)));
  }, [key, version]);
  const need = (last) => {
    sight.current = last;
    if (!busy.current && list.next && last >= list.rows.length - 20) fetchPage(list.next, list.rows, pageSize);
  };
  return { ...list, need };
}

// Of that, what the row does not say anyway.
const groupWords = (entry) => (entry.layer === 'L2' ? entry.session : entry.section.filter((one) => !entry.file.includes(one)).join(' › '));

function Row({ entry, before, open }) {
  const group = groupWords(entry);
  const isNew = group && (!before || groupOf(before) !== groupOf(entry));
  return html`<a class=${`row ${entry.status === 'inactive' ? 'inactive' : ''}`} href=${entryAddress(entry.id)} aria-current=${open ? 'true' : undefined}>
    <span class="row-text" dir="auto">${brief(entry.text)}</span>
    <span class="row-meta">${isNew && html`<span class="group">${group} · </span>`}<${Badge} kind=${entry.layer}>${entry.source}</${Badge}> ${dateOf(saidAt(entry))} · <bdi>${placeOf(entry)}</bdi>
      ${entry.recalls ? ` · recalled ${entry.recalls}×` : ''}${entry.tags.length ? ` · ${entry.tags.join(', ')}` : ''}</span></a>`;
}

function Growth() {
  const days = useLoad((signal) => get('/memory/growth', null, { signal }), []).value?.days || [];
  let sum = 0;
  const points = days.map((one) => ({ day: one.day, value: (sum += one.entries) }));
  return points.length > 2 ? html`<h2>Growth</h2>${line(points, 'Entries that count', 'entries')}` : null;
}

const sources = ['correction', 'user', 'agent', 'system'].map((one) => [one, one]);
const kinds = ['fact', 'turn', 'session-summary', 'task-summary'].map((one) => [one, one]);

export default function MemoryView({ params }) {
  const status = useStore((all) => all.status);
  const layer = layers.some(([name]) => name === params.layer) ? params.layer : 'L1';
  const { source, kind, tag, inactive } = params;
  const recalled = Object.hasOwn(waysToList, params.recalled) ? params.recalled : 'all';
  const { rows, next, loaded, error, need } = useRows({ layer, source, kind, tag, inactive, recalled });
  const wrong = unknownIn(params, {
    layer: layers.map(([name]) => name), source: sources.map(([name]) => name), kind: kinds.map(([name]) => name), recalled: Object.keys(waysToList), inactive: ['1'],
  });
  const tags = useLoad((signal) => get('/memory/values', null, { signal }), []).value?.tags || [];
  const choose = (name) => (value) => go('memory', { ...params, layer, [name]: value }, { replace: true });
  return html`<h1>Memory</h1>
    <div class="tabs" role="group" aria-label="Layers">${layers.map(([name, text]) => html`<button type="button" key=${name} class="chip" aria-pressed=${layer === name && !wrong ? 'true' : 'false'}
      onClick=${() => go('memory', { layer: name })}>${text} ${status && html`<span class="count">${number(status.entries[name])}</span>`}</button>`)}</div>
    ${layer === 'L0' && html`<${UserFile} />`}
    <${Filters} set=${[source, kind, tag, inactive, params.recalled].filter(Boolean).length} said=${loaded && !wrong && (next ? `${number(rows.length)} shown, more below` : counted(rows.length, 'entry', 'entries'))}>
      <${Choice} label="Source" value=${source} onChange=${choose('source')} options=${sources} />
      <${Choice} label="Kind" value=${kind} onChange=${choose('kind')} options=${kinds} />
      ${tags.length > 0 && html`<${Choice} label="Tag" value=${tag} onChange=${choose('tag')} options=${tags.map((one) => [one, one])} />`}
      ${[['most', 'most recalled first'], ['never', 'never recalled']].map(([way, text]) => html`<${Toggle} key=${way} pressed=${recalled === way}
        onClick=${() => choose('recalled')(recalled === way ? '' : way)}>${text}</${Toggle}>`)}
      <${Toggle} pressed=${inactive === '1'} onClick=${() => choose('inactive')(inactive === '1' ? '' : '1')}>also what no longer counts</${Toggle}></${Filters}>
    <${Problem} error=${wrong || error} />
    ${wrong ? null : loaded && rows.length === 0 ? html`<${Empty}>${recalled === 'most' ? 'Nothing that counts here was recalled yet.' : 'Nothing here.'}</${Empty}>` : html`<${Windowed} label="Entries" count=${rows.length} height=${58} onNeed=${need}
      row=${(i) => html`<${Row} entry=${rows[i]} before=${rows[i - 1]} open=${params.entry === rows[i].id} />`} />`}
    ${layer !== 'L0' && html`<${Growth} />`}`;
}
