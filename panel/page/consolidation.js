// Consolidation: what keeps it from running, what waits, what each run made of which facts, and its undoing.
import { html } from './htm-preact.js';
import { call, get } from './api.js';
import { brief, counted, dateOf, dayOf, number, timeOf } from './format.js';
import { markdown } from './markdown.js';
import { say } from './notices.js';
import { Action, Badge, Empty, EntryLink, Final, Problem, Some, Words } from './parts.js';
import { bars } from './plot.js';
import { addressOf, state, useLoad, useStore } from './state.js';
import { orFound, undoRun } from './undo.js';

function Gates({ consolidation }) {
  const closed = consolidation.gate.closed_by || [];
  const running = useStore((all) => all.running);
  if (running) return html`<p>A run is under way.</p>`;
  if (consolidation.gate.open) return html`<p>All gates are open: the next look is at ${timeOf(consolidation.next_check)}.</p>`;
  return html`<ul class="plain">${closed.map((gate) => html`<li key=${gate.gate || gate.name}><${Badge} kind="L2">${gate.gate || gate.name}</${Badge}> ${gate.reason}${gate.opens_at ? html`<span class="dim">; opens ${timeOf(gate.opens_at)} at the latest</span>` : ''}</li>`)}</ul>`;
}

function Work() {
  const work = useStore((all) => all.work || all.status?.work);
  if (!work) return null;
  return html`<p role="status">${work.what} ${work.total > 0 && html`<progress max=${work.total} value=${work.done} aria-label=${work.what}></progress> ${number(work.done)} of ${number(work.total)}`}</p>`;
}

function RunNow() {
  const run = (force) => async () => {
    const runs = async () => (await get('/memory/runs')).runs;
    const known = new Set((await runs()).map((one) => one.run));
    // Not of one that is under way still, or was cut off.
    const find = async () => {
      const made = (await runs()).find((one) => !known.has(one.run) && one.outcome);
      return made && { ran: true, run: made };
    };
    const done = await orFound(() => call('POST', '/memory/consolidate', { body: { force } }), find);
    if (!done.ran) say(`Nothing was done: ${(done.gate.closed_by || []).map((gate) => gate.reason).join('; ')}`);
    else say(`A run is done: ${counted(done.run.facts ?? 0, 'fact')}`, (isAgain) => undoRun(done.run.run, isAgain));
  };
  return html`<div class="actions"><${Action} run=${run(true)} kind="primary">Run now</${Action}><span class="dim">Does not wait for time or number. Every run can be undone.</span></div>`;
}

function Pending() {
  const { value } = useLoad((signal) => get('/memory/pending', null, { signal }), []);
  if (!value || value.total === 0) return html`<p class="dim">No fact waits.</p>`;
  return html`<${Some} of=${value.facts} first=${50} within=${(items) => html`<ul class="rows small">${items}</ul>`} each=${(fact) => html`<li key=${fact.id}><${EntryLink} entry=${fact} />
    ${fact.quarantined && html`<p class="bad">It failed three times and is set aside; “Run now” tries it again.</p>`}</li>`} />
    ${value.total > value.facts.length && html`<p class="dim">and ${number(value.total - value.facts.length)} more</p>`}`;
}

// What a run cost, in words; nothing of one that asked no model.
const spentOf = (run) => (tokensOf(run) ? ` · ${counted(tokensOf(run), 'token')}${run.cost ? `, costs ${priceOf(run.cost)}` : ''}` : '');
const priceOf = (cost) => cost.toFixed(cost < 1 ? 4 : 2);

const tokensOf = (run) => (run.tokens ? (run.tokens.input || 0) + (run.tokens.output || 0) : 0);

function Cost({ runs }) {
  const byDay = new Map();
  for (const run of [...runs].reverse()) {
    const day = dayOf(new Date(run.at));
    byDay.set(day, (byDay.get(day) || 0) + tokensOf(run));
  }
  const points = [...byDay].map(([day, value]) => ({ day, value }));
  const money = runs.reduce((sum, run) => sum + (run.cost || 0), 0);
  if (!points.some((one) => one.value > 0)) return null;
  return html`<h2>Cost by day</h2>${bars(points, 'Tokens by day', 'tokens')}${money > 0 && html`<p>${priceOf(money)} in all, at the prices that are set</p>`}`;
}

function Runs({ runs }) {
  if (runs.length === 0) return html`<${Empty}>Nothing was consolidated yet on this machine.</${Empty}>`;
  return html`<ul class="rows">${runs.map((run) => html`<li key=${run.run}><a class="row" href=${addressOf('consolidation', { run: run.run })}>
    <span class="row-text">${timeOf(run.at)}: ${run.kind}, ${run.outcome || 'unfinished'}</span>
    <span class="row-meta">${counted(run.added ?? 0, 'entry', 'entries')} added · ${run.changed ?? 0} changed · ${run.removed ?? 0} removed${spentOf(run)}${run.undone_by ? ' · taken back' : ''}</span></a></li>`)}</ul>`;
}

function Change({ entry }) {
  return html`<div class="card"><p class="dim"><a href=${addressOf('consolidation', { ...state.route.params, entry: entry.id })} dir="auto">${brief(entry.after || entry.before || entry.id, 80)}</a> in ${entry.file}</p>
    <div class="sides"><div class="side"><p class="side-title">Before</p>${entry.before ? markdown(entry.before) : html`<p class="dim">It was not there.</p>`}</div>
      <div class="side"><p class="side-title">After</p>${entry.after ? markdown(entry.after) : html`<p class="dim">It is gone.</p>`}</div></div>
    ${entry.facts?.length > 0 && html`<h2 class="minor">Rests on</h2><ul class="plain">${entry.facts.map((fact) => html`<li key=${fact.id}><span class="dim">${dateOf(fact.day)} · ${fact.source}</span>${' '}
      <a href=${addressOf('consolidation', { ...state.route.params, entry: fact.id })}>${fact.text}</a></li>`)}</ul>`}</div>`;
}

// What the model wanted and may not.
function Refused({ one }) {
  return html`<div class="problem"><p><strong>Refused:</strong> <span dir="auto">${one.text ? `“${brief(one.text, 300)}”` : one.operation}</span></p>
    <ul class="plain">${one.why.map((why, i) => html`<li key=${i}>${why}</li>`)}</ul></div>`;
}

function Run({ id }) {
  const { value: run, error } = useLoad((signal) => get(`/memory/runs/${encodeURIComponent(id)}`, null, { signal }), [id]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!run) return null;
  const undo = async () => {
    const undone = await call('POST', `/memory/runs/${encodeURIComponent(id)}/undo`, { body: {} });
    say(`Taken back: ${counted(undone.entries.length, 'entry', 'entries')} as they were, ${counted(undone.pending, 'fact')} pending again${undone.kept.length ? `; ${counted(undone.kept.length, 'entry', 'entries')} changed since stay` : ''}`);
  };
  const clusters = run.clusters || [];
  const canBeUndone = !run.undone_by && run.kind !== 'undo' && clusters.some((one) => one.outcome === 'applied');
  return html`<p>${timeOf(run.at)}, by ${run.model || 'builtin rules'}: ${run.outcome || 'unfinished'}${run.reason ? `: ${run.reason}` : ''}${spentOf(run)}</p>
    ${canBeUndone && html`<div class="actions"><${Action} run=${undo}>Undo this run</${Action}></div><${Final}>This itself cannot be undone: the facts wait for the next run, which may decide otherwise.</${Final}>`}
    ${run.undone_by && html`<p class="dim">It was taken back.</p>`}
    ${clusters.filter((one) => one.reason).map((one, i) => html`<div class="problem" key=${i}><p>${one.outcome}: ${one.reason}</p><p class="dim">${counted(one.facts.length, 'fact stays', 'facts stay')} pending:</p>
      <${Some} of=${one.facts} first=${5} within=${(items) => html`<ul class="plain">${items}</ul>`} each=${(fact) => html`<li key=${fact}><${Words} id=${fact} /></li>`} /></div>`)}
    ${clusters.flatMap((one) => one.refused || []).map((one, i) => html`<${Refused} key=${i} one=${one} />`)}
    ${clusters.flatMap((one) => one.entries || []).map((entry) => html`<${Change} key=${entry.id} entry=${entry} />`)}`;
}

export default function ConsolidationView({ params }) {
  const consolidation = useStore((all) => all.status?.consolidation);
  const runs = useLoad((signal) => get('/memory/runs', null, { signal }), []).value?.runs || [];
  if (params.run) return html`<h1>Run</h1><p><a href="#/consolidation">All runs</a></p><${Run} id=${params.run} key=${params.run} />`;
  return html`<h1>Consolidation</h1>
    ${consolidation && html`<dl class="figures"><div><dt>facts pending</dt><dd>${number(consolidation.pending)}</dd></div><div><dt>set aside</dt><dd>${number(consolidation.quarantined)}</dd></div>
      <div><dt>tokens today${consolidation.tokens?.limit ? ` of ${number(consolidation.tokens.limit)}` : ''}</dt><dd>${number(consolidation.tokens?.today)}</dd></div></dl>
      <${Gates} consolidation=${consolidation} />`}
    <div><${Work} /></div><${RunNow} /><${Cost} runs=${runs} /><h2>Pending</h2><${Pending} /><h2>Runs</h2><${Runs} runs=${runs} />`;
}
