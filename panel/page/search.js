// Search: results while typing. One question is under way at a time; what is typed meanwhile is asked as soon as its answer is
// there, so that a slow answer never holds up the next and the daemon is asked no more than it can answer.
import { html, useLayoutEffect, useRef, useState } from './htm-preact.js';
import { get } from './api.js';
import { brief, counted, dateOf, percent, saidAt } from './format.js';
import { Badge, Choice, Empty, Filters, Place, Problem, Toggle, unknownIn } from './parts.js';
import { entryAddress, go, readAddress, set, state, useLoad, useStore } from './state.js';

const pauseOfTyping = 300; // milliseconds
const firstHits = 20;
const mostHits = 1000;

const operators = {
  'layer:': ['L0', 'L1', 'L2'],
  'source:': ['user', 'correction', 'agent', 'system'],
  'kind:': ['fact', 'turn', 'session-summary', 'task-summary'],
  'since:': [],
  'until:': [],
  'tag:': [],
  'project:': [],
  'task:': [],
  'session:': [],
};

// A word that is still being typed is searched as a beginning; as a word, too, once no key was pressed for a while.
export function asQuery(typed, isSettled) {
  const last = /(?:^|\s)([\p{L}\p{N}]{2,})$/u.exec(typed);
  if (!last) return typed;
  return isSettled ? `${typed} ${last[1]}*` : `${typed}*`;
}

const filtersOf = ({ layer, source, project, tag, since, history }) => ({ layer, source, project, tag, since, history });

function useResults(query, filters, version) {
  const [answer, setAnswer] = useState({ query: '', result: null, error: null });
  const wanted = useRef(null);
  const busy = useRef(false);
  const ask = async () => {
    if (busy.current) return;
    busy.current = true;
    while (wanted.current) {
      const question = wanted.current;
      wanted.current = null;
      try {
        const result = await get('/memory/search', { q: asQuery(question.query, question.isSettled), ...question.filters });
        setAnswer({ query: question.query, result, error: null });
      } catch (error) {
        if (error.status !== 0) setAnswer({ query: question.query, result: null, error });
      }
    }
    busy.current = false;
  };
  // Before the next frame, not behind it: a frame is a third of the time that a person notices.
  useLayoutEffect(() => {
    if (!query.trim()) {
      wanted.current = null;
      setAnswer({ query: '', result: null, error: null });
      return undefined;
    }
    const question = (isSettled) => {
      wanted.current = { query, filters, isSettled };
      ask();
    };
    const isTyped = answer.query !== query;
    if (isTyped) question(false);
    const settle = setTimeout(() => question(true), isTyped ? pauseOfTyping : 0);
    return () => clearTimeout(settle);
  }, [query, JSON.stringify(filters), version]);
  return answer;
}

// --- the box ---

const wordAt = (text, position) => /\S*$/.exec(text.slice(0, position))[0];

// What the word before the cursor could become.
function suggestionsFor(word, known) {
  const bare = word.replace(/^-/, '');
  if (bare.length < 1) return [];
  const colon = bare.indexOf(':');
  if (colon < 0) return Object.keys(operators).filter((name) => name.startsWith(bare) && bare.length > 1);
  const name = bare.slice(0, colon + 1);
  const begun = bare.slice(colon + 1).replace(/^"/, '').toLowerCase();
  const values = [...(operators[name] || []), ...(known[name] || [])];
  return values.filter((value) => value.toLowerCase().startsWith(begun) && value.length > begun.length).slice(0, 8).map((value) => name + (/\s/.test(value) ? `"${value}"` : value));
}

const nothing = {}; // is known yet

export function SearchBox() {
  const query = useStore((all) => all.query);
  const box = useRef(null);
  const [chosen, setChosen] = useState(-1);
  const [offered, setOffered] = useState([]);
  const known = useLoad((signal) => get('/memory/values', null, { signal }), []).value || nothing;
  useLayoutEffect(() => { if (state.route.view === 'search' && !state.route.params.entry) box.current.focus(); }, []);

  const word = useRef(''); // before the cursor, while it is to be completed
  const offer = (one) => {
    word.current = one;
    setOffered(one ? suggestionsFor(one, { 'tag:': known.tags || [], 'project:': known.projects || [] }) : []);
  };
  // What is known may come behind what is typed.
  useLayoutEffect(() => { if (word.current && chosen < 0) offer(word.current); }, [known]);
  const typed = (event) => {
    const text = event.target.value;
    set({ query: text });
    readAddress(); // a link that was followed a moment ago is told of a moment later
    if (state.route.view !== 'search') go('search', {});
    offer(wordAt(text, event.target.selectionStart));
    setChosen(-1);
  };
  const take = (suggestion) => {
    const position = box.current.selectionStart;
    const begin = position - wordAt(query, position).replace(/^-/, '').length;
    const end = suggestion.endsWith(':') ? '' : ' ';
    set({ query: query.slice(0, begin) + suggestion + end + query.slice(position) });
    offer('');
    box.current.focus();
  };
  const pressed = (event) => {
    if (offered.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : offered.length) + offered.length) % offered.length);
    } else if (offered.length > 0 && (event.key === 'Tab' || event.key === 'Enter') && (chosen >= 0 || event.key === 'Tab')) {
      event.preventDefault();
      take(offered[Math.max(0, chosen)]);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (offered.length > 0) offer('');
      else if (query) set({ query: '' });
      else box.current.blur();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      document.querySelector('.view a.row')?.focus();
      event.preventDefault();
    }
  };
  return html`<div class="searchbox">
    <input type="search" ref=${box} value=${query} maxlength="1000" placeholder="Search your memory" aria-label="Search your memory" autocomplete="off" spellcheck="false"
      aria-autocomplete="list" aria-controls="suggestions" aria-activedescendant=${chosen >= 0 ? `suggestion-${chosen}` : undefined}
      onInput=${typed} onKeyDown=${pressed} onBlur=${() => offer('')} /><kbd>/</kbd>
    <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden=${offered.length === 0}>${offered.map((one, i) => html`
      <li role="option" id=${`suggestion-${i}`} key=${one} aria-selected=${i === chosen ? 'true' : 'false'} onMouseDown=${(event) => { event.preventDefault(); take(one); }}>${one}</li>`)}</ul>
  </div>`;
}

// --- the results ---

const meanings = { bm25: 'its own words', thread: 'its conversation', recency: 'how recent it is', trust: 'who said it' };
const partMeanings = {
  own: 'words', neighbours: 'what stands beside it', order: 'words in this order', thread: 'conversation', coverage: 'how many of the words', role: 'who said it', time: 'when it was said',
};

function Why({ why }) {
  const parts = Object.entries(why.parts || {}).filter(([key, value]) => partMeanings[key] && value !== 0 && value !== 1);
  return html`<dl class="why">${Object.entries(meanings).map(([key, text]) => html`<div key=${key}><dt>${text}</dt>
    <dd><meter min="0" max="1" value=${why[key]} aria-label=${text}>${why[key]}</meter> ${key === 'bm25' || key === 'thread' ? why[key].toFixed(2) : `× ${why[key].toFixed(2)}`}</dd></div>`)}
    ${parts.length > 0 && html`<div class="whole"><dt>made of</dt><dd>${parts.map(([key, value]) => `${partMeanings[key]} ${Number(value).toFixed(2)}`).join(', ')}</dd></div>`}</dl>`;
}

// The words of the query in the text, marked.
function Marked({ text, query }) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) || [];
  if (words.length === 0) return text;
  const stems = words.slice(0, 16).map((word) => word.slice(0, Math.max(2, word.length - 2)));
  return text.split(/([\p{L}\p{N}]+)/u).map((part, i) => (i % 2 === 1 && stems.some((stem) => part.toLowerCase().startsWith(stem)) ? html`<mark key=${i}>${part}</mark>` : part));
}

function Hit({ hit, query, open }) {
  const [why, setWhy] = useState(false);
  return html`<li>
    <a class=${`row ${hit.status === 'inactive' ? 'inactive' : ''}`} href=${entryAddress(hit.id)} aria-current=${open ? 'true' : undefined}>
      <span class="row-text" dir="auto"><${Marked} text=${brief(hit.snippet || hit.text)} query=${query} /></span></a>
    <div class="row-meta"><${Badge} kind=${hit.layer}>${hit.layer}</${Badge}> <span>${hit.source}</span> <span>${dateOf(saidAt(hit))}</span>
      <${Place} file=${hit.file} line=${hit.line} /> ${hit.layer === 'L2' && html`<span>from the history</span>`}
      ${hit.tags.map((tag) => html`<span class="tag" key=${tag}>${tag}</span>`)}
      <button type="button" class="quiet" aria-expanded=${why ? 'true' : 'false'} onClick=${() => setWhy(!why)}>${percent(hit.score)} · why</button></div>
    ${why && html`<${Why} why=${hit.why} />`}</li>`;
}

function ReadAs({ read }) {
  const words = Object.entries(read || {});
  if (words.length === 0) return null;
  return html`<p class="dim">${words.map(([typed, meant]) => html`<span key=${typed}>“${typed}” stands nowhere and was read as “${meant}”. </span>`)}</p>`;
}

function Start({ status }) {
  const recent = useLoad((signal) => get('/memory/recent', { kind: 'fact', limit: 40 }, { signal }), []).value;
  if (!recent) return null;
  // What was folded says what the fact that it was made of says: once is enough.
  const texts = new Map(recent.entries.map((entry) => [entry.text, entry]));
  const entries = [...texts.values()].slice(0, 12);
  if (entries.length === 0) {
    return html`<${Empty}>Nothing is stored yet. Try <code>loci add "The kitchen wall is painted in ocean blue."</code> in a terminal, or write a line into a file of ${status?.vault || 'the vault'}.</${Empty}>`;
  }
  return html`<h2>Stored last</h2><ul class="rows">${entries.map((entry) => html`<li key=${entry.id}>
    <a class="row" href=${entryAddress(entry.id)}><span class="row-text" dir="auto">${brief(entry.text)}</span></a>
    <div class="row-meta"><${Badge} kind=${entry.layer}>${entry.layer}</${Badge}> <span>${entry.source}</span> <span>${dateOf(saidAt(entry))}</span> <${Place} file=${entry.file} line=${entry.line} /></div></li>`)}</ul>`;
}

// When that day began, where this browser is.
function daysAgo(days) {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();
}

export function SearchView({ params }) {
  const query = useStore((all) => all.query);
  const version = useStore((all) => all.version);
  const status = useStore((all) => all.status);
  const [more, setMore] = useState({ query: '', limit: firstHits });
  const limit = more.query === query ? more.limit : firstHits;
  const { result, error, query: answered } = useResults(query, { ...filtersOf(params), limit }, version);
  const choose = (name) => (value) => go('search', { ...params, [name]: value }, { replace: true });
  const known = useLoad((signal) => get('/memory/values', null, { signal }), []).value || {};
  const wrong = unknownIn(params, { layer: operators['layer:'], source: operators['source:'], history: ['1'] });
  return html`<h1 class="visually-hidden">Search</h1>
    <${Filters} set=${Object.values(filtersOf(params)).filter(Boolean).length}>
      <${Choice} label="Layer" value=${params.layer} onChange=${choose('layer')} options=${[['L0', 'always in the prompt'], ['L1', 'what is known'], ['L2', 'the past']]} />
      <${Choice} label="Source" value=${params.source} onChange=${choose('source')} options=${operators['source:'].map((one) => [one, one])} />
      <${Choice} label="Project" value=${params.project} onChange=${choose('project')} options=${(known.projects || []).map((one) => [one, one])} />
      <${Choice} label="Since" value=${params.since} onChange=${choose('since')} options=${[[daysAgo(1), 'yesterday'], [daysAgo(7), 'a week'], [daysAgo(30), 'a month'], [daysAgo(365), 'a year']]} />
      <${Toggle} pressed=${params.history === '1'} onClick=${() => choose('history')(params.history === '1' ? '' : '1')}>the whole past</${Toggle}>
    </${Filters}>
    <${Problem} error=${wrong || error} />
    <p class="visually-hidden" role="status">${result && query.trim() ? counted(result.hits.length, 'result') : ''}</p>
    <section aria-label="Results" aria-busy=${query.trim() && answered !== query ? 'true' : 'false'}>${wrong ? null : !query.trim() ? html`<${Start} status=${status} />` : result && html`
      <${ReadAs} read=${result.read_as} />
      ${result.hits.length === 0 && html`<${Empty}>Nothing found for “${answered}”. ${params.history === '1' ? '' : 'The whole past was not searched.'}</${Empty}>`}
      ${result.hits.length > 0 && !result.confident && html`<p class="dim">Nothing matches well: the answer may not be in this memory.</p>`}
      <ol class="rows">${result.hits.map((hit) => html`<${Hit} key=${hit.id} hit=${hit} query=${answered} open=${params.entry === hit.id} />`)}</ol>
      ${result.hits.length === limit && limit < mostHits && html`<button type="button" onClick=${() => setMore({ query, limit: Math.min(limit * 5, mostHits) })}>Show more</button>`}`}</section>`;
}
