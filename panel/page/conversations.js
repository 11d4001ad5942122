// Conversations: which there were, and one whole in turn order, with what was remembered from it beside each turn.
import { html, useState } from './htm-preact.js';
import { call, get } from './api.js';
import { counted, dateOf, timeOf, visible } from './format.js';
import { markdown } from './markdown.js';
import { say } from './notices.js';
import { Action, Empty, EntryLink, Final, Problem } from './parts.js';
import { addressOf, useLoad } from './state.js';
import { entriesNow, forgetWhatWasLeft, orFound } from './undo.js';

function List() {
  const [limit, setLimit] = useState(100);
  const { value, error } = useLoad((signal) => get('/memory/sessions', { limit }, { signal }), [limit]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!value) return null;
  if (value.sessions.length === 0) return html`<${Empty}>No conversation is stored yet. Agents store them turn by turn, or <code>loci turn</code> does.</${Empty}>`;
  return html`<ul class="rows">${value.sessions.map((one) => html`<li key=${one.session}>
      <a class="row" href=${addressOf('conversations', { session: one.session })}><span class="row-text" dir="auto">${visible(one.session)}</span>
        <span class="row-meta text">${counted(one.turns, 'message')} · ${dateOf(one.first)}${dateOf(one.first) === dateOf(one.last) ? '' : ` to ${dateOf(one.last)}`}${one.project && html` · <bdi>${one.project}</bdi>`}</span></a></li>`)}</ul>
    ${value.sessions.length === limit && html`<button type="button" onClick=${() => setLimit(limit * 4)}>Show more</button>`}`;
}

// Turns in order, each with what was said and with the facts that name it.
function turnsOf(entries) {
  const turns = new Map();
  for (const entry of entries) {
    const key = entry.turn ?? -1;
    if (!turns.has(key)) turns.set(key, { number: entry.turn, said: [], remembered: [] });
    turns.get(key)[entry.kind === 'turn' ? 'said' : 'remembered'].push(entry);
  }
  return [...turns.values()].sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity));
}

const who = (entry) => (entry.role === 'assistant' ? 'Assistant' : 'You');

function Turn({ turn }) {
  return html`<article class="turn" aria-label=${turn.number === null ? 'Beside the turns' : `Turn ${turn.number}`}><div>
      ${turn.said.map((entry) => html`<div class="said" key=${entry.id}><span class="who">${who(entry)} <span class="dim">${timeOf(entry.at)}</span></span>${markdown(entry.text)}</div>`)}
      ${turn.said.length === 0 && html`<p class="dim">What was said is not kept.</p>`}</div>
    <div class="aside">${turn.remembered.length > 0 && html`<h2 class="minor">Remembered</h2><ul class="rows small">${turn.remembered.map((entry) => html`<li key=${entry.id}><${EntryLink} entry=${entry} /></li>`)}</ul>`}</div></article>`;
}

const isSummary = (entry) => entry.kind.endsWith('summary');

function Digest({ session }) {
  const [digest, setDigest] = useState(null);
  const make = async () => setDigest(await get('/memory/digest', { session }));
  return html`<${Action} run=${make}>Digest</${Action}>${digest && html`<div class="card">${markdown(digest.text)}</div>`}`;
}

function Conversation({ session }) {
  const path = `/memory/sessions/${encodeURIComponent(session)}`;
  const { value, error } = useLoad((signal) => get(path, null, { signal }), [session]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!value) return null;
  const summaries = value.entries.filter(isSummary);
  const turns = turnsOf(value.entries.filter((entry) => !isSummary(entry)));
  const end = async () => {
    const known = new Set((await get(path)).entries.map(({ id }) => id));
    const find = async () => {
      const summary = (await get(path)).entries.filter((one) => one.kind !== 'turn' && !known.has(one.id));
      return summary.length > 0 && { summary, extracted: { facts: [] } };
    };
    const ended = await orFound(() => call('POST', `${path}/end`), find);
    const made = [...ended.summary, ...ended.extracted.facts].map((one) => one.id);
    const left = await entriesNow(made);
    if (made.length === 0) say('Nothing was said since it was summed up last');
    else say('The conversation is summed up', () => forgetWhatWasLeft(left));
  };
  return html`${summaries.map((entry) => html`<div class="card" key=${entry.id}><h2 class="minor">Summary</h2>${markdown(entry.text)}</div>`)}
    <div class="actions"><${Action} run=${end}>End and sum up</${Action}><${Digest} session=${session} /></div>
    <${Final}>To undo a summary is to forget it. Words that were kept for the summary alone go with it, and do not come back.</${Final}>
    ${turns.map((turn) => html`<${Turn} key=${turn.number ?? 'none'} turn=${turn} />`)}`;
}

export default function ConversationsView({ params }) {
  if (!params.session) return html`<h1>Conversations</h1><${List} />`;
  return html`<h1 dir="auto">${visible(params.session)}</h1><p><a href="#/conversations">All conversations</a></p><${Conversation} session=${params.session} key=${params.session} />`;
}

