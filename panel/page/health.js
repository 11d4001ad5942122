// Health: how fresh the index is, what is wrong and where, and what only a person can answer.
import { html } from './htm-preact.js';
import { call, get } from './api.js';
import { brief, bytes, counted, number, timeOf } from './format.js';
import { say } from './notices.js';
import { Action, Badge, EntryLink, Place, Problem, Some, Told } from './parts.js';
import { set, state, useLoad, useStore } from './state.js';
import { forgetOf, orFound, restoreAll } from './undo.js';

// What mends a problem of this kind, where its message does not say it.
const mends = {
  'over-limit': 'shorten it: user.md under Memory, MEMORY.md by “Demote”',
  'not-writable': 'chmod u+w',
  'broken-line': 'mend the line, or take it out',
  'bad-log': 'take it away',
};

function Problems({ problems }) {
  if (problems.length === 0) return html`<p>Nothing is wrong.</p>`;
  return html`<${Some} of=${problems} first=${100} within=${(items) => html`<ul class="rows">${items}</ul>`} each=${(one, i) => html`<li key=${i}><p><${Told} text=${one.message} /></p>
    <p class="row-meta"><${Badge} kind="bad">${one.code}</${Badge}>${one.file && html`<${Place} file=${one.file} line=${one.line} />`}${mends[one.code] && html`<span>${mends[one.code]}</span>`}</p></li>`} />`;
}

// What is asked about one entry stands above, to be answered.
const asked = ['edited-after-forget', 'stands-after-forget', 'perhaps-old-buffer'];

function headline(one) {
  const counts = `${counted(one.removed, 'entry', 'entries')} went, ${one.changed} changed`;
  return { conflict: 'git left two versions in it', gone: `The file is gone: ${counts}`, unreadable: 'The file is too large, or cannot be read', missing: `${counted(one.removed, 'entry stands', 'entries stand')} nowhere`,
    hidden: `Its markdown hides entries; mend it in line ${one.line}`, stuck: `What follows from your edit cannot be written: ${one.why}` }[one.kind]
    || `${counts}, of ${one.entries}`;
}

// What is answered is asked no more. Nor is what somebody else has answered: then the page says so, since the question goes.
const answered = (answer) => async () => {
  try {
    await answer();
  } catch (error) {
    if (error.status !== undefined && error.status !== 404) throw error;
    say(`Nothing was changed: ${error.message}`);
  }
  set({ version: state.version + 1 });
};

// Asked for again, if its answer was lost: then it is done, or was.
const send = (path, body) => orFound(() => call('POST', path, { body }), () => call('POST', path, { body: { ...body, again: true } }));

// Of what no index knows, as a picture, no event tells.
const takeBack = (act) => async () => {
  await call('POST', `/memory/acts/${encodeURIComponent(act)}/undo`, { body: {} });
  set({ version: state.version + 1 });
};

function Question({ one }) {
  const isConflict = one.kind === 'conflict';
  const [left, right, notLeft, notRight] = isConflict ? ['Ours', 'Theirs', 'not there', 'not there'] : ['Before', 'Now', 'not there', 'gone'];
  const answer = (choice) => answered(async () => {
    const { act } = await send('/memory/questions', { file: one.file, answer: choice });
    say(choice === 'keep' ? 'Kept as it is now' : choice === 'restore' ? 'Put back as it was' : 'Put together', takeBack(act));
  });
  return html`<article class="card" aria-label=${`Question about ${one.file}`}><p><${Place} file=${one.file} /> <span class="dim">since ${timeOf(one.since)}</span></p><p><strong>${headline(one)}.</strong> ${one.ends_by_answer ? 'What did you mean?' : 'This goes by itself, once nothing is in the way.'}</p>
    <${Some} of=${one.changes} each=${(change, i) => html`<div class="sides" key=${i}><div class="side"><p class="side-title">${left}</p>${change.before ? brief(change.before, 400) : html`<span class="dim">${notLeft}</span>`}</div>
      <div class="side"><p class="side-title">${right}</p>${change.after ? brief(change.after, 400) : html`<span class="dim">${notRight}</span>`}</div></div>`} />
    ${one.ends_by_answer && html`<div class="actions">${isConflict ? html`${!one.is_whole && html`<${Action} run=${answer('both')} kind="primary">Keep both</${Action}>`}<${Action} run=${answer('ours')}>Take ours</${Action}><${Action} run=${answer('theirs')}>Take theirs</${Action}>`
    : html`<${Action} run=${answer('keep')} kind="primary">Keep it as it is now</${Action}><${Action} run=${answer('restore')}>Restore the entries</${Action}>`}</div>
    <p class="dim">${isConflict ? `Ours is what this machine had. ${one.is_whole ? 'It is one version or the other.' : 'If you keep both, no words go; else what only the other side says leaves the file.'}`
    : 'If you keep it as it is now, what went is forgotten; if you restore the entries, they stand again instead of what stands under “Now”.'}</p>`}</article>`;
}

// Where an entry goes again, it can be brought back; one that counts has a button of its own to be forgotten.
function EntryQuestion({ one }) {
  const [id] = one.entries;
  const answer = (choice) => answered(async () => {
    const { deleted } = await send('/memory/questions', { file: id, answer: choice });
    say(choice === 'keep' ? 'Kept as it is now' : 'Put back as it was', deleted.length > 0 && ((isAgain) => restoreAll(deleted, isAgain)));
  });
  return html`<article class="card" aria-label=${`Question about ${id}`}><p><${Place} file=${one.file} line=${one.line} /></p><p><${Told} text=${one.message} /></p>
    <div class="actions"><${Action} run=${answer('keep')} kind="primary">Keep it as it is now</${Action}><${Action} run=${answer('restore')}>Restore what was</${Action}></div></article>`;
}

function Correction({ one }) {
  const choose = (right) => answered(async () => {
    const wrong = one.versions.filter((version) => version.id !== right.id);
    await orFound(() => forgetOf(one.versions, wrong), () => forgetOf([right], wrong).then(() => true));
    const ids = wrong.map((version) => version.id);
    say('The other version is forgotten', (isAgain) => restoreAll(ids, isAgain));
  });
  return html`<article class="card" aria-label="Two corrections"><p><strong>Two machines corrected one entry differently.</strong> Which is right?</p>
    <div class="sides">${one.versions.map((version) => html`<div class="side" key=${version.id}><${EntryLink} entry=${version} /><${Action} run=${choose(version)}>This one</${Action}></div>`)}</div></article>`;
}

// The lines of a text; marked are those that the other one does not have. Metadata says nothing to a person.
function Lines({ text, other }) {
  if (text === null) return html`<p class="dim">cannot be shown</p>`;
  const linesOf = (all) => all.replace(/<!--[\s\S]*?-->\n?/g, '').replace(/\n{3,}/g, '\n\n').trim().split('\n');
  const known = new Set(linesOf(other || ''));
  const lines = linesOf(text);
  return html`<${Some} of=${lines} first=${200} within=${(shown) => html`<p class="lines" dir="auto">${shown}</p>`} each=${(line, i) => (known.has(line) ? html`<span key=${i}>${line}</span>` : html`<mark key=${i}>${line}</mark>`)} />`;
}

function Conflict({ one }) {
  const end = (action, said) => answered(async () => {
    const { act } = await send('/memory/conflicts', { file: one.file, action });
    say(said, takeBack(act));
  });
  return html`<article class="card" aria-label=${`Conflict of ${one.original || one.file}`}><p><strong>Two versions of one file.</strong> What only one of them says is marked.</p>
    <div class="sides"><div class="side"><p class="side-title"><${Place} file=${one.original || ''} /></p><${Lines} text=${one.original_text} other=${one.text} /></div>
      <div class="side"><p class="side-title"><${Place} file=${one.file} /></p><${Lines} text=${one.text} other=${one.original_text} /></div></div>
    <div class="actions">${one.is_whole ? html`<${Action} run=${end('take', 'The copy stands in its place now')}>Take the copy</${Action}>` : html`<${Action} run=${end('merge', 'What only the copy said stands in the file now')} kind="primary">Merge them</${Action}>`}
      <${Action} run=${end('remove', 'The copy is removed')}>${one.is_whole ? 'Keep mine' : 'Remove the copy'}</${Action}></div></article>`;
}

function Waiting() {
  const { value, error } = useLoad((signal) => get('/memory/questions', null, { signal }), []);
  if (error) return html`<${Problem} error=${error} />`;
  if (!value || [...value.questions, ...value.entries, ...value.corrections, ...value.conflicts].length === 0) return null;
  const all = [...value.questions.map((one) => html`<${Question} key=${`question ${one.file} ${one.kind}`} one=${one} />`),
    ...value.entries.map((one) => html`<${EntryQuestion} key=${`entry ${one.entries[0]} ${one.code}`} one=${one} />`),
    ...value.corrections.map((one) => html`<${Correction} key=${`correction ${one.corrected}`} one=${one} />`),
    ...value.conflicts.map((one) => html`<${Conflict} key=${`conflict ${one.file}`} one=${one} />`)];
  return html`<h2>Waiting for your answer</h2><${Some} of=${all} each=${(one) => one} />`;
}

function Facts({ status }) {
  const { index, watcher, daemon, sync } = status;
  return html`<dl class="facts"><dt>Vault</dt><dd><code>${status.vault}</code></dd><dt>This machine</dt><dd>${status.host}</dd>
    <dt>Index</dt><dd>${index.fresh ? `up to date, looked at ${timeOf(index.checked_at)}` : `${counted(index.pending_files, 'file')} to be read`}; ${counted(index.entries, 'entry', 'entries')}, ${bytes(index.bytes)}</dd>
    ${watcher && html`<dt>Watching</dt><dd>${watcher.mode === 'polling' ? `by looking every now and then: ${watcher.reason}` : `by events, ${counted(watcher.watches, 'folder')}`}; ${counted(watcher.rescans, 'full scan')}${watcher.last_reason ? `, the last because ${watcher.last_reason}` : ''}</dd>`}
    ${sync && html`<dt>Sync</dt><dd>${sync.remote} (${sync.branch}): ${sync.done ? `exchanged ${timeOf(sync.done)}` : 'never exchanged yet'}${sync.not_exchanged?.files ? `; ${counted(sync.not_exchanged.files, 'file waits', 'files wait')}` : ''}</dd>`}
    ${daemon && html`<dt>Daemon</dt><dd>${daemon.version}, process ${daemon.pid}, since ${timeOf(daemon.started_at)}</dd>`}</dl>`;
}

export default function HealthView() {
  const status = useStore((all) => all.status);
  if (!status) return html`<h1>Health</h1>`;
  return html`<h1>Health</h1>
    <dl class="figures"><div><dt>always in the prompt</dt><dd>${number(status.entries.L0)}</dd></div><div><dt>known</dt><dd>${number(status.entries.L1)}</dd></div><div><dt>of the past</dt><dd>${number(status.entries.L2)}</dd></div><div><dt>facts</dt><dd>${number(status.facts.total)}</dd></div></dl>
    <${Waiting} /><h2>Problems</h2><${Problems} problems=${status.problems.filter((one) => !asked.includes(one.code))} /><h2>How it stands</h2><${Facts} status=${status} />`;
}
