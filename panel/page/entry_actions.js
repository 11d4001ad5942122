// Changing an entry. Every change says what it did and offers to take it back; an edit never writes over what somebody else has
// changed since it was opened (If-Match), but shows both.
import { html, useLayoutEffect, useRef, useState } from './htm-preact.js';
import { call, get } from './api.js';
import { brief, counted } from './format.js';
import { markdown } from './markdown.js';
import { Action, Dialog, EntryLink, Problem, useAct } from './parts.js';
import { openEntry, say, useLoad } from './state.js';

const target = (id, action = '') => `/memory/entries/${encodeURIComponent(id)}${action}`;

const tagsFrom = (text) => text.split(/[,\s]+/).map((tag) => tag.replace(/^#/, '')).filter(Boolean);

export async function forgetAll(ids) {
  for (const id of ids) await call('DELETE', target(id));
}

// As far as each is still there; what cannot be restored is said when all others are.
export async function restoreAll(ids) {
  let failed = null;
  for (const id of ids) await call('POST', target(id, '/restore'), { body: {} }).catch((error) => { failed ||= error; });
  if (failed) throw failed;
}

// What stands in the place of an entry after a change: often the same id, sometimes a new one.
function show(changed, before) {
  if (changed.id && changed.id !== before.id) openEntry(changed.id);
}

// Takes an edit back, unless somebody changed the entry since: what gave way comes back if it is still there, else the old words are put
// in the new one's place.
async function undoEdit(before, changed, hash) {
  if (changed.id === before.id) {
    await call('PATCH', target(before.id), { body: { text: before.text, tags: before.tags }, match: hash });
    return;
  }
  await call('DELETE', target(changed.id));
  await call('POST', target(before.id, '/restore'), { body: {} });
  openEntry(before.id);
}

function Conflict({ mine, now, onMine, onNow }) {
  return html`<div class="conflict" role="alert"><p>Somebody changed this entry while you did. Which words are right?</p>
    <div class="sides"><div><p class="side-title">Yours</p>${markdown(mine)}<button type="button" class="primary" onClick=${onMine}>Keep mine</button></div>
      <div><p class="side-title">In the file now</p>${markdown(now.text)}<button type="button" onClick=${onNow}>Keep that</button></div></div></div>`;
}

export function EditForm({ entry, onDone }) {
  const [text, setText] = useState(entry.text);
  const [tags, setTags] = useState(entry.tags.join(', '));
  const { problem, busy, act } = useAct();
  const [now, setNow] = useState(null);
  const opened = useRef(entry);
  const box = useRef(null);
  // At once, not after the first paint: whoever is quick would type the next field's words into this one.
  useLayoutEffect(() => box.current.focus(), []);

  const save = (base) => act(async () => {
    setNow(null);
    const body = {};
    if (text !== base.text) body.text = text;
    if (tagsFrom(tags).join() !== base.tags.join()) body.tags = tagsFrom(tags);
    if (Object.keys(body).length === 0) return onDone();
    try {
      const changed = await call('PATCH', target(base.id), { body, match: base.hash });
      const { hash } = (await get(target(changed.id))).entry;
      onDone();
      show(changed, base);
      say('Saved', () => undoEdit(base, changed, hash));
    } catch (error) {
      if (error.status !== 412) throw error;
      const latest = await get(target(base.id));
      opened.current = latest.entry;
      setNow(latest.entry);
    }
    return undefined;
  });
  const pressed = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onDone();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      save(opened.current);
    }
  };
  return html`<form class="edit" onSubmit=${(event) => { event.preventDefault(); save(opened.current); }} onKeyDown=${pressed}>
    <label>Text<textarea ref=${box} dir="auto" rows=${Math.min(20, text.split('\n').length + 3)} value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    <label>Tags<input type="text" value=${tags} onInput=${(event) => setTags(event.target.value)} /></label>
    ${now && html`<${Conflict} mine=${text} now=${now} onMine=${() => save(now)} onNow=${onDone} />`}
    <${Problem} error=${problem} />
    <div class="actions"><button type="submit" class="primary" disabled=${busy}>Save</button><button type="button" onClick=${onDone}>Cancel</button><span class="dim">Ctrl+Enter saves, Esc leaves</span></div></form>`;
}

export function CorrectForm({ entry, onDone }) {
  const [text, setText] = useState(entry.text);
  const { problem, busy, act } = useAct();
  const save = (event) => {
    event.preventDefault();
    act(async () => {
      const changed = await call('POST', target(entry.id, '/correct'), { body: { text } });
      const { hash } = (await get(target(changed.id))).entry;
      onDone();
      show(changed, entry);
      say('Corrected', () => undoEdit(entry, changed, hash));
    });
  };
  return html`<form class="edit" onSubmit=${save} onKeyDown=${(event) => { if (event.key === 'Escape') { event.preventDefault(); onDone(); } }}>
    <p class="dim">A correction says that the old words were never true. They no longer count, and stay in the history.</p>
    <label>What is right<textarea rows="4" dir="auto" value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    <${Problem} error=${problem} />
    <div class="actions"><button type="submit" class="primary" disabled=${busy || text.trim() === entry.text.trim()}>Save</button><button type="button" onClick=${onDone}>Cancel</button></div></form>`;
}

export async function restoreEntry(entry) {
  await call('POST', target(entry.id, '/restore'), { body: {} });
  say('It counts again', () => call('DELETE', target(entry.id)));
}

// Into the lines that are in every prompt, or out of them. No run takes back what a person decided.
export function promoteEntry(entry, stands) {
  const change = (way) => call('POST', target(entry.id, `/${way}`), { body: {} });
  const [way, back, text] = stands ? ['demote', 'promote', 'Taken out of MEMORY.md'] : ['promote', 'demote', 'It stands in MEMORY.md now'];
  return change(way).then(() => say(text, () => change(back)));
}

export function ForgetDialog({ entry, onDone }) {
  const [everywhere, setEverywhere] = useState(false);
  const others = useLoad((signal) => get(target(entry.id, '/still-says'), null, { signal }), [entry.id]).value?.entries || [];
  const forget = async () => {
    const answer = await call('DELETE', target(entry.id), { query: { everywhere: everywhere || undefined }, match: entry.hash });
    onDone();
    const ids = (answer.forgotten || [entry]).map((one) => one.id || one);
    say(`Forgotten: ${brief(entry.text, 60)}`, () => restoreAll(ids));
  };
  return html`<${Dialog} title="Forget this?" onClose=${onDone}>
    <blockquote dir="auto">${brief(entry.text, 300)}</blockquote>
    <p>It is never found again, on no machine. ${entry.file.startsWith('archive/') ? 'Its line stays in the archive.' : ''} You can restore it.</p>
    ${others.length > 0 && html`<p>${counted(others.length, 'other entry says', 'other entries say')} nearly the same:</p><ul class="rows small">${others.map((one) => html`<li key=${one.id}><${EntryLink} entry=${one} /></li>`)}</ul>
      <label class="check"><input type="checkbox" checked=${everywhere} onChange=${(event) => setEverywhere(event.target.checked)} /> Forget these too</label>`}
    <div class="actions"><${Action} run=${forget} kind="primary danger">Forget</${Action}><button type="button" onClick=${onDone}>Cancel</button></div></${Dialog}>`;
}

const confirmation = 'purge';

export function PurgeDialog({ entry, onDone }) {
  const [typed, setTyped] = useState('');
  const purge = async () => {
    const answer = await call('POST', target(entry.id, '/purge'), { body: { confirm: typed } });
    onDone();
    say(`Purged from ${counted(answer.files.length + answer.state_files.length, 'file')}${answer.complete ? '' : '; not all could be changed: see Health'}`);
  };
  return html`<${Dialog} title="Purge for ever?" onClose=${onDone}>
    <p>This is for secrets. The words are blanked in every file of the vault, the archive's too, and <strong>cannot be restored</strong>. Git history, backups and other machines may still hold them.</p>
    <blockquote dir="auto">${brief(entry.text, 300)}</blockquote>
    <label>Type “${confirmation}” to go on<input type="text" value=${typed} autocomplete="off" onInput=${(event) => setTyped(event.target.value)} /></label>
    <div class="actions"><${Action} run=${purge} kind="primary danger" disabled=${typed.trim() !== confirmation}>Purge</${Action}><button type="button" onClick=${onDone}>Cancel</button></div></${Dialog}>`;
}
