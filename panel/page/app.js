// The page: head, navigation, one view, and beside it the entry that is open.
import { html, render, useEffect, useLayoutEffect, useRef } from './htm-preact.js';
import { get, load } from './api.js';
import { unsaved } from './drafts.js';
import { EntryPane } from './entry.js';
import { follow } from './events.js';
import { keepFocus } from './focus.js';
import { counted, number } from './format.js';
import { listenToKeys, views } from './keys.js';
import { Notices } from './notices.js';
import { SearchBox, SearchView } from './search.js';
import { readAddress, set, state, useLoad, useStore } from './state.js';
import { hasToken, logIn } from './trust.js';

const lazy = {
  memory: () => import('./memory.js'),
  conversations: () => import('./conversations.js'),
  consolidation: () => import('./consolidation.js'),
  used: () => import('./used.js'),
  health: () => import('./health.js'),
  settings: () => import('./settings.js'),
};

function LazyView({ view, params }) {
  const module = useLoad(() => load(lazy[view]), [view]).value;
  const View = module?.default;
  return View ? html`<${View} params=${params} />` : html`<p class="empty">…</p>`;
}

// What waits for a person, on the link to the view where it is answered.
function waiting(view, status) {
  if (view === 'health') return status.problems.length;
  return view === 'consolidation' ? status.consolidation?.pending || 0 : 0;
}

function Navigation({ status, current }) {
  const links = useRef(null);
  // On a narrow screen they are a row that scrolls.
  useEffect(() => links.current.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current]);
  return html`<nav aria-label="Views" ref=${links}>${views.map(([view, name]) => html`
    <a href=${`#/${view}`} aria-current=${view === current ? 'page' : undefined} key=${view}>${name}
      ${status && waiting(view, status) > 0 && html`<span class="count">${number(waiting(view, status))}</span>`}</a>`)}</nav>`;
}

const connections = {
  new: ['wait', 'connecting'],
  live: ['live', 'up to date'],
  lost: ['lost', 'connection lost, trying again'],
};

function Light({ status }) {
  const connection = useStore((all) => all.connection);
  const [kind, text] = connections[connection] || connections.lost;
  const behind = status && connection === 'live' && !status.index.fresh;
  return html`<p class=${`light ${behind ? 'wait' : kind}`} role="status">${behind ? `${counted(status.index.pending_files, 'file')} to be read` : text}</p>`;
}

const lost = {
  silent: 'The daemon does not answer. This page goes on by itself when it is back; if it stays away, ',
  stranger: 'Another program answers where the daemon did, or the daemon that does has no such login. It is told nothing. To open the panel anew, ',
};

// Where it may be for good: a daemon that starts anew is found before this is shown.
function Lost() {
  const why = useStore((all) => all.connection === 'lost' && all.lost);
  const isOld = useStore((all) => all.isOld);
  if (!why && isOld) return html`<div class="problem told" role="alert"><p>loci was replaced by another version while this page was open. <button type="button" onClick=${() => location.reload()}>Load the page anew</button></p></div>`;
  if (!why) return null;
  return html`<div class="problem told" role="alert"><p>${lost[why]}run <code>loci panel</code> in a terminal.</p></div>`;
}

function LoggedOut() {
  const why = useStore((all) => all.why);
  // Rendered first, it leaves of the page's beginnings what it has no use for (index.html).
  useLayoutEffect(() => document.querySelectorAll('#app > :not(.alone)').forEach((element) => element.remove()), []);
  return html`<main id="main" class="alone"><h1>This page is not logged in</h1>
    ${why && html`<p role="alert">${why[0].toUpperCase() + why.slice(1)}</p>`}
    <p>Run <code>loci panel</code> in a terminal: it opens this page with a secret that works once. Logins end after 12 hours.</p>
    ${unsaved().map(({ key, words }) => html`<label class="rescued" key=${key}>You were writing this (${key}), and it is not saved: take it along.<textarea readonly rows=${words.includes('\n') ? 8 : 2} dir="auto" value=${words}></textarea></label>`)}</main>`;
}

function App() {
  const { view, params } = useStore((all) => all.route);
  const connection = useStore((all) => all.connection);
  const { value: status } = useLoad((signal) => get('/memory/status', null, { signal }), [connection]);
  useEffect(() => {
    if (!status) return undefined;
    set({ status });
    // What waits to be read may turn out to say nothing new, of which no event tells.
    const again = status.index.fresh ? 0 : setTimeout(() => set({ version: state.version + 1 }), 1000);
    return () => clearTimeout(again);
  }, [status]);
  useEffect(() => { document.title = `${(views.find(([name]) => name === view) || ['', 'loci'])[1]} – loci`; }, [view]);
  const place = useRef(null);
  // Another page begins at its top; an entry that is opened beside it, or a filter, leaves it where it is.
  useLayoutEffect(() => { if (place.current) place.current.scrollTop = 0; }, [view, params.run, params.session, view === 'memory' && params.layer]);
  if (connection === 'out') return html`<${LoggedOut} />`;
  const known = views.some(([name]) => name === view) ? view : 'search';
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.getElementById('main').focus(); }}>Skip to the content</a>
    <header><a class="brand" href="#/search">loci</a><${SearchBox} /><${Light} status=${status} /></header>
    <${Navigation} status=${status} current=${known} />
    <main id="main" tabindex="-1" class=${`panes ${params.entry ? 'two' : 'one'}`}><${Lost} />
      <div class="view" ref=${place}>${known === 'search' ? html`<${SearchView} params=${params} />` : html`<${LazyView} view=${known} params=${params} key=${known} />`}</div>
      ${params.entry && html`<${EntryPane} id=${params.entry} key=${params.entry} />`}
    </main>
    <${Notices} />`;
}

function start() {
  // What was typed while the scripts were on their way is not lost.
  set({ query: document.querySelector('input[type=search]').value });
  logIn().then(follow);
  readAddress();
  addEventListener('hashchange', () => {
    // An address that 'loci panel' printed is put into a tab that has the page already: only what follows "#" is new.
    if (hasToken()) logIn().then(follow);
    readAddress();
  });
  listenToKeys();
  keepFocus(document.getElementById('app'));
  render(html`<${App} />`, document.getElementById('app'));
}

start();
