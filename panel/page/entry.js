// One entry: what it says, where it comes from, what happened to it, and what can be done about it.
import { html, useLayoutEffect, useRef, useState } from './htm-preact.js';
import { get } from './api.js';
import { draftOf } from './drafts.js';
import { CorrectForm, EditForm, ForgetDialog, promoteEntry, PurgeDialog, restoreEntry } from './entry_actions.js';
import { focusSoon, holdFocus } from './focus.js';
import { brief, counted, dateOf, layerOf, saidTime, sourceOf, timeOf } from './format.js';
import { markdown } from './markdown.js';
import { leaveEntry } from './keys.js';
import { Action, Badge, EntryLink, Place, Problem, Words } from './parts.js';
import { bars } from './plot.js';
import { addressOf, entryAddress, useLoad, useStore } from './state.js';

const reasons = {
  deleted: 'forgotten', corrected: 'corrected', superseded: 'replaced', demoted: 'taken out of MEMORY.md', merged: 'merged', purged: 'purged',
};
const outcomes = {
  added: 'became an entry of its own', replaced: 'replaced what an entry said', merged: 'was folded into an entry', duplicate: 'says what an entry says',
  ignored: 'was not worth keeping', quarantined: 'could not be settled, and waits', undone: 'is pending again',
};
const actors = { user: 'you', agent: 'an agent', model: 'a model', system: 'loci' };

// In words, because a person asks "who said that, and when".
function Origin({ entry, inCore }) {
  const conversation = entry.session && html` in <a href=${addressOf('conversations', { session: entry.session, entry: entry.id })}>a conversation</a>${entry.turn === null ? '' : `, turn ${entry.turn}`}`;
  return html`<dl class="facts">
    <dt>Said</dt><dd>${saidTime(entry)}${conversation}</dd>
    <dt>By</dt><dd>${sourceOf(entry.source)}${entry.confidence < 1 ? `, trusted at ${entry.confidence}` : ''}</dd>
    <dt>Layer</dt><dd><${Badge} kind=${entry.layer}>${entry.layer}</${Badge}> ${layerOf(entry.layer)}${inCore ? ', and always in the prompt' : ''}${entry.status === 'inactive' ? ', no longer counts' : ''}</dd>
    <dt>Stands</dt><dd>${(entry.places.length ? entry.places : [entry]).map((place, i) => html`${i > 0 && ', '}<${Place} key=${i} file=${place.file} line=${place.line} />`)}${entry.place_count > entry.places.length && `, and ${counted(entry.place_count - entry.places.length, 'other place')}`}</dd>
    ${entry.section.length > 0 && html`<dt>Under</dt><dd>${entry.section.join(' › ')}</dd>`}
    ${entry.tags.length > 0 && html`<dt>Tags</dt><dd>${entry.tags.map((tag) => html`<span class="tag" key=${tag}>${tag}</span>`)}</dd>`}
    ${entry.project && html`<dt>Project</dt><dd>${entry.project}</dd>`}
    ${entry.task && html`<dt>Task</dt><dd>${entry.task}</dd>`}
    ${entry.updated && html`<dt>Changed</dt><dd>${timeOf(entry.updated)}</dd>`}
    <dt>Id</dt><dd><code>${entry.id}</code></dd></dl>`;
}

function Links({ title, entries }) {
  if (entries.length === 0) return null;
  return html`<h2>${title}</h2><ul class="rows small">${entries.map((entry) => html`<li key=${entry.id}><${EntryLink} entry=${entry} /></li>`)}</ul>`;
}

function eventsOf(history) {
  const events = history.tombstones.map((stone) => ({
    at: stone.at, id: stone.id, text: `was ${reasons[stone.reason] || stone.reason} by ${actors[stone.by] || stone.by}`, to: stone.superseded_by,
  }));
  for (const line of history.settled) {
    events.push({ at: line.at, id: line.fact, text: outcomes[line.outcome] || line.outcome, to: line.into || line.entry });
  }
  return events.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function History({ history }) {
  const { entry } = history;
  const known = new Map([entry, ...history.replaces, ...history.replaced_by, ...history.rests_on].map((one) => [one.id, one]));
  const called = (id, itself) => (id === entry.id ? itself : known.has(id) ? html`<a href=${entryAddress(id)}>“${brief(known.get(id).text, 50)}”</a>` : html`<${Words} id=${id} most=${50} />`);
  const versions = [...history.replaces].reverse().concat([entry], history.replaced_by);
  const events = eventsOf(history);
  return html`<section aria-label="History of this entry"><h2>Versions</h2>
    <ol class="timeline">${history.said_before.map((one, i) => html`<li key=${i}><span class="dim">said on ${dateOf(one.day)}</span>${markdown(one.text)}</li>`)}
    ${versions.map((one) => html`<li key=${one.id} class=${one.id === entry.id ? 'here' : ''}>
      <span class="dim">${saidTime(one)} · ${one.source}</span>${one.id === entry.id ? markdown(one.text) : html`<${EntryLink} entry=${one} />`}</li>`)}</ol>
    <h2>What happened</h2>${events.length === 0 && html`<p class="dim">Nothing since it was stored.</p>`}
    <ol class="timeline">${events.map((event) => html`<li key=${`${event.at}${event.id}${event.text}`}><span class="dim">${timeOf(event.at)}</span>
      <span>${called(event.id, 'It')} ${event.text}${event.to && event.to !== event.id && html` → ${called(event.to, 'this one')}`}</span></li>`)}</ol></section>`;
}

function Recalls({ id }) {
  const { value } = useLoad((signal) => get(`/memory/entries/${encodeURIComponent(id)}/recalls`, null, { signal }), [id]);
  if (!value || value.days.length === 0) return null;
  const total = value.days.reduce((sum, one) => sum + one.times, 0);
  return html`<h2>Recalled ${counted(total, 'time')}</h2>${bars(value.days.map((one) => ({ day: one.day, value: one.times })), 'Recalls by day', 'a day')}
    ${value.latest.length > 0 && html`<ul class="plain">${value.latest.map((one) => html`<li key=${one.at}><span class="dim">${timeOf(one.at)}</span> for “${one.query}”</li>`)}</ul>`}`;
}

// What may be done depends on where it stands: a note is its owner's alone (the daemon says so).
const isKeptByLoci = (entry) => /^(archive|consolidated)\//.test(entry.file) && entry.kind === 'fact';

function Actions({ entry, history, mode, setMode }) {
  const inCore = history.in_core;
  const toggle = (one) => () => setMode(mode === one ? '' : one);
  const button = (one, text, kind) => html`<button type="button" data-opens=${one} class=${kind || ''} aria-expanded=${mode === one ? 'true' : 'false'} onClick=${toggle(one)}>${text}</button>`;
  if (entry.status === 'inactive') return html`<div class="actions"><${Action} run=${() => restoreEntry(entry)} kind="primary">Restore</${Action}>${button('history', 'History')}${button('purge', 'Purge…', 'danger')}</div>`;
  return html`<div class="actions">${history.may_edit && button('edit', 'Edit', 'primary')}${button('correct', 'Correct')}${button('forget', 'Forget')}${button('history', 'History')}
    ${isKeptByLoci(entry) && html`<${Action} run=${() => promoteEntry(entry, inCore)}>${inCore ? 'Demote' : 'Promote'}</${Action}>`}${button('purge', 'Purge…', 'quiet danger')}</div>`;
}

function Entry({ history, mode, setMode }) {
  const { entry } = history;
  const done = () => {
    focusSoon(() => document.querySelector(`section.entry [data-opens=${mode}]`));
    setMode('');
  };
  return html`<div class="entry-text">${mode === 'edit' ? html`<${EditForm} entry=${entry} mayTag=${history.may_tag} onDone=${done} />` : markdown(entry.text)}</div>
    ${mode === 'correct' && html`<${CorrectForm} entry=${entry} onDone=${done} />`}
    ${mode !== 'edit' && mode !== 'correct' && html`<${Actions} entry=${entry} history=${history} mode=${mode} setMode=${setMode} />`}
    ${!history.may_edit && entry.status !== 'inactive' && html`<p class="dim">This stands in a file of your own: loci shows it, and you edit it there. A correction takes its place in what counts.</p>`}
    ${mode === 'forget' && html`<${ForgetDialog} entry=${entry} onDone=${done} />`}
    ${mode === 'purge' && html`<${PurgeDialog} entry=${entry} onDone=${done} />`}
    ${mode === 'history' && html`<${History} history=${history} />`}
    <h2>Where it comes from</h2><${Origin} entry=${entry} inCore=${history.in_core} />
    <${Links} title="It rests on" entries=${history.rests_on} />
    ${mode !== 'history' && html`<${Links} title="It replaces" entries=${history.replaces} /><${Links} title="It was replaced by" entries=${history.replaced_by} />`}
    <${Recalls} id=${entry.id} />`;
}

// Of an entry that is gone, and of which somebody has begun to write: as they saw it.
const withoutHistory = (entry) => entry && { entry: { ...entry, status: 'inactive' }, may_tag: true, rests_on: [], replaces: [], replaced_by: [] };

export function EntryPane({ id }) {
  const { value, error } = useLoad((signal) => get(`/memory/entries/${encodeURIComponent(id)}/history`, null, { signal }), [id]);
  const [mode, setMode] = useState(() => ['edit', 'correct'].find((way) => draftOf(`${way} ${id}`)) || '');
  // What is written about it does not go with an entry that somebody else takes away.
  const known = useRef(null);
  const isWritten = mode === 'edit' || mode === 'correct';
  if (value || !isWritten) known.current = value;
  if (isWritten && error?.status === 404) known.current ||= withoutHistory(draftOf(`${mode} ${id}`)?.seen);
  const history = known.current;
  const file = useRef('');
  if (value) file.current = value.entry.file;
  const trouble = error?.status === 404 && file.current ? new Error(`It stands in ${file.current} no more: its words were changed there, or taken away.`) : error;
  const pane = useRef(null);
  const connection = useStore((all) => all.connection);
  // Also when what had the focus is gone: a form that was saved, the entry that it was of.
  useLayoutEffect(() => { if (matchMedia('(max-width: 999px)').matches) pane.current.focus(); }, [id]);
  useLayoutEffect(() => { if (document.activeElement === document.body) holdFocus(pane.current); }, [id, mode]);
  return html`<section class="entry" aria-label="Entry" data-id=${id} ref=${pane} tabindex="-1">
    <div class="entry-head"><h1>Entry</h1><button type="button" class="quiet" onClick=${leaveEntry} aria-label="Close">✕</button></div>
    ${connection !== 'lost' && !(isWritten && history) && html`<${Problem} error=${trouble} />`}
    ${history && html`<${Entry} history=${history} mode=${mode} setMode=${setMode} key=${history.entry.id} />`}</section>`;
}
