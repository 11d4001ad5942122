// "Which memories did you use?": by conversation and turn, what an answer was given, what was cut, and why.
import { html } from './htm-preact.js';
import { get } from './api.js';
import { counted, placeOf, timeOf } from './format.js';
import { Choice, Empty, Problem, Some, Words } from './parts.js';
import { go, useLoad } from './state.js';

function Turn({ turn }) {
  return html`<article class="card" aria-label=${`Turn ${turn.turn ?? ''}`}><p><strong>${turn.turn === null || turn.turn === undefined ? 'A question' : `Turn ${turn.turn}`}</strong> <span class="dim">${timeOf(turn.at)}</span></p>
    ${turn.query && html`<p class="dim" dir="auto">“${turn.query}”</p>`}
    ${turn.given.length === 0 ? html`<p class="dim">Nothing was given.</p>` : html`<h2 class="minor">Given</h2><ul class="plain">${turn.given.map((one) => html`<li key=${one.id}>
      <${Words} id=${one.id} /> <span class="dim">${placeOf(one)}${one.still_given ? ' · still given' : ''}</span></li>`)}</ul>`}
    ${turn.cut?.length > 0 && html`<h2 class="minor">Cut</h2><ul class="plain">${turn.cut.map((one) => html`<li key=${one.id}><${Words} id=${one.id} /> <span class="dim">${one.why}</span></li>`)}</ul>`}</article>`;
}

export default function UsedView({ params }) {
  const sessions = useLoad((signal) => get('/memory/sessions', { limit: 100000 }, { signal }), []).value?.sessions || [];
  const session = params.session || sessions[0]?.session;
  const isKnown = !params.session || sessions.length === 0 || sessions.some((one) => one.session === params.session);
  const { value, error } = useLoad((signal) => (session ? get('/memory/used', { session }, { signal }) : Promise.resolve(null)), [session]);
  return html`<h1>Used</h1><p class="dim">Which memories an answer was given, what did not fit, and why.</p>
    ${sessions.length > 0 && html`<div class="filters"><${Choice} label="Conversation" isOne value=${session} onChange=${(chosen) => go('used', { session: chosen })} options=${sessions.map((one) => [one.session, `${one.session} (${counted(one.turns, 'message')})`])} /></div>`}
    ${error?.status === 501 ? html`<${Empty}>${error.message}.</${Empty}>` : html`<${Problem} error=${error} />`}
    ${sessions.length === 0 && html`<${Empty}>No conversation is stored yet.</${Empty}>`}
    ${!isKnown ? html`<${Empty}>There is no conversation “${session}”.</${Empty}>` : value && (value.turns.length === 0 ? html`<${Empty}>Nothing was given in this conversation.</${Empty}>` : html`<${Some} key=${session} of=${[...value.turns].reverse()} first=${30} each=${(turn, i) => html`<${Turn} key=${i} turn=${turn} />`} />`)}`;
}
