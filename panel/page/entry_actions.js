// Changing an entry. Every change says what it did and offers to take it back; none writes over what somebody else has changed since
// it was opened, but shows both.
import { html, useEffect, useLayoutEffect, useRef, useState } from './htm-preact.js';
import { call, get } from './api.js';
import { Conflict, draftOf, Gone, tagsFrom, useDraft } from './drafts.js';
import { focusSoon } from './focus.js';
import { brief, counted } from './format.js';
import { longestText } from './markdown.js';
import { say } from './notices.js';
import { Action, Dialog, EntryLink, Problem, useAct } from './parts.js';
import { openEntry, state, useLoad } from './state.js';
import { entriesNow, entryPath, forgetWhatWasLeft, isSame, orFound, restore, restoreAll, standing, undoEdit, undoPlace, userFile } from './undo.js';

// What stands in the place of an entry after a change: often the same id, sometimes a new one.
function show(changed, before, way) {
  if (!changed.id || changed.id === before.id) return;
  focusSoon(() => [...document.querySelectorAll(`section.entry [data-opens=${way}]`)].find((one) => one.closest('section').dataset.id === changed.id));
  openEntry(changed.id);
}

// A line of user.md has the id of its words: what somebody else wrote in its place is known by where it stands, behind the line that
// stood before it.
const linesOfUserFile = async () => (await get('/memory/entries', { layer: 'L0', limit: 200 })).entries.filter((one) => one.file === userFile);

async function inPlaceOf(seen, lines) {
  const now = await linesOfUserFile();
  const stands = (line) => now.findIndex((one) => one.id === line?.id);
  const at = lines.findIndex((one) => one.id === seen.id);
  const next = now[stands(lines.slice(0, at).findLast((line) => stands(line) >= 0)) + 1];
  return next && lines.every((one) => one.id !== next.id) ? next : null;
}

// What stands in the place of an entry now, if that is something else than what was seen; else null. `first`: the id that the entry had
// when its form was opened, which counts again if whoever changed it takes that back. `lines`: of user.md, then.
async function somethingElse(seen, first, lines) {
  const now = (await standing(seen.id)) || (first !== seen.id && (await standing(first))) || (lines && (await inPlaceOf(seen, lines)));
  return now && !isSame(now, seen) ? now : null;
}

const nothing = {}; // stands in its place

const isGone = async (seen, first) => !(await standing(seen.id)) && (first === seen.id || !(await standing(first)));

const words = ({ text, tags }) => `${text.trim()}\n\nTags: ${(typeof tags === 'string' ? tagsFrom(tags) : tags).join(', ') || 'none'}`;

// Words that have no entry any more become one.
async function addAnew({ project }, { text, tags }) {
  const stored = async () => (await get('/memory/recent', { kind: 'fact', limit: 100 })).entries.filter((one) => one.text === text.trim()).map(({ id }) => id);
  const known = new Set(await stored());
  const body = { text, tags: tagsFrom(tags), project: project || undefined };
  const find = async () => {
    const id = (await stored()).find((one) => !known.has(one));
    return id && { entries: [{ id }] };
  };
  return (await orFound(() => call('POST', '/memory/entries', { body }), find)).entries[0].id;
}

// A draft that takes the place of what its person saw, by `put`; of what somebody else wrote there meanwhile they are told.
function useChange(way, entry, put, onDone) {
  const key = `${way} ${entry.id}`;
  const [draft, change, putAway] = useDraft(key, { text: entry.text, tags: entry.tags.join(', '), seen: entry });
  const lines = useRef(draft?.lines);
  const type = (part) => change({ ...part, lines: lines.current });
  // Whoever is quick has typed by then: the draft outlives this form, and its lines do.
  const know = (all) => {
    lines.current = all;
    if (draftOf(key)) change({ lines: all });
  };
  useEffect(() => { if (entry.file === userFile && !lines.current) linesOfUserFile().then(know, () => {}); }, []);
  const { problem, busy, act } = useAct();
  const [now, setNow] = useState(null);
  const leave = () => {
    onDone();
    putAway();
  };
  // `replaced`: the ids that gave way, if the answer that names them was not lost.
  const done = (seen, left, replaced) => {
    leave();
    show(left, entry, way);
    const isInPlace = left.id === seen.id || (way === 'edit' && seen.file === userFile);
    const [ended] = replaced || (isInPlace ? [] : [seen.id]);
    say(`${way === 'edit' ? 'Saved' : 'Corrected'}: ${brief(left.text, 60)}`, () => undoEdit(seen, left, ended).then(() => state.route.params.entry === left.id && openEntry(seen.id)));
  };
  const write = (seen) => act(async () => {
    setNow(null);
    type({ seen });
    if (words(draft) === words(seen)) return leave();
    let latest = await somethingElse(seen, entry.id, lines.current); // its hash says nothing of its tags
    if (!latest) {
      try {
        const changed = await put(seen, draft);
        return done(seen, (await get(entryPath(changed.id))).entry, changed.replaced);
      } catch (error) {
        const isRefused = error.status >= 400 && error.status < 500;
        latest = isRefused && (await somethingElse(seen, entry.id, lines.current));
        if (!latest && isRefused && (await isGone(seen, entry.id))) return setNow(nothing);
        if (!latest) throw error;
      }
    }
    if (lines.current) lines.current = await linesOfUserFile();
    // What is asked for stands there, if the answer to it was lost.
    return words(latest) === words(draft) ? done(seen, latest) : setNow(latest);
  });
  const store = () => act(async () => {
    const id = await addAnew(entry, draft);
    const left = await entriesNow([id]);
    leave();
    openEntry(id);
    say(`Stored as a new entry: ${brief(draft.text, 60)}`, () => forgetWhatWasLeft(left));
  });
  const conflict = now === nothing ? html`<${Gone} mine=${words(draft)} onNew=${store} onDrop=${leave} />` : now && html`<${Conflict} what="this entry" mine=${words(draft)} now=${words(now)} onMine=${() => write(now)} onNow=${() => { leave(); show(now, entry, way); }} />`;
  return { draft, type, leave, busy, save: () => write(draft.seen), told: html`${conflict}<${Problem} error=${problem} />` };
}

function edit(seen, { text, tags }) {
  const body = {};
  if (text !== seen.text) body.text = text;
  if (tagsFrom(tags).join() !== seen.tags.join()) body.tags = tagsFrom(tags);
  return call('PATCH', entryPath(seen.id), { body, match: seen.hash });
}

// A browser breaks a whole paragraph anew at each key: of a very long one that takes seconds.
const wrapOf = (text) => (text.split('\n').some((line) => line.length > longestText) ? 'off' : 'soft');

export function EditForm({ entry, mayTag, onDone }) {
  const { draft, type, leave, busy, save, told } = useChange('edit', entry, edit, onDone);
  const box = useRef(null);
  // At once, not after the first paint: whoever is quick would type the next field's words into this one.
  useLayoutEffect(() => box.current.focus(), []);
  const pressed = (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      save();
    }
  };
  if (!draft) return null;
  return html`<form class="edit" onSubmit=${(event) => { event.preventDefault(); save(); }} onKeyDown=${pressed}>
    <label>Text<textarea ref=${box} dir="auto" wrap=${wrapOf(draft.text)} rows=${Math.min(20, draft.text.split('\n').length + 3)} value=${draft.text} onInput=${(event) => type({ text: event.target.value })}></textarea></label>
    ${mayTag && html`<label>Tags<input type="text" value=${draft.tags} onInput=${(event) => type({ tags: event.target.value })} /></label>`}${told}
    <div class="actions"><button type="submit" class="primary" disabled=${busy}>Save</button><button type="button" onClick=${leave}>Cancel</button><span class="dim">Ctrl+Enter saves, Esc leaves</span></div></form>`;
}

const correct = (seen, { text }) => call('POST', entryPath(seen.id, '/correct'), { body: { text, hash: seen.hash } });

export function CorrectForm({ entry, onDone }) {
  const { draft, type, leave, busy, save, told } = useChange('correct', entry, correct, onDone);
  const box = useRef(null);
  useLayoutEffect(() => box.current.focus(), []);
  if (!draft) return null;
  return html`<form class="edit" onSubmit=${(event) => { event.preventDefault(); save(); }} onKeyDown=${(event) => { if (event.key === 'Escape') { event.preventDefault(); leave(); } }}>
    <p class="dim">A correction says that the old words were never true. They no longer count, and stay in the history.</p>
    <label>What is right<textarea ref=${box} rows="4" dir="auto" value=${draft.text} onInput=${(event) => type({ text: event.target.value })}></textarea></label>${told}
    <div class="actions"><button type="submit" class="primary" disabled=${busy || draft.text.trim() === draft.seen.text.trim()}>Save</button><button type="button" onClick=${leave}>Cancel</button></div></form>`;
}

export async function restoreEntry(entry) {
  const find = async () => (await standing(entry.id))?.id === entry.id && { restored: [entry.id] };
  const { restored } = await orFound(() => restore(entry.id), find);
  const left = await entriesNow(restored);
  say(`It counts again: ${brief(entry.text, 60)}`, () => forgetWhatWasLeft(left));
}

// Into the lines that are in every prompt, or out of them. No run takes back what a person decided.
export function promoteEntry(entry, stands) {
  const change = (way) => call('POST', entryPath(entry.id, `/${way}`), { body: {} });
  const [way, back, text] = stands ? ['demote', 'promote', 'Taken out of MEMORY.md'] : ['promote', 'demote', 'It stands in MEMORY.md now'];
  const find = async () => {
    const now = await standing(entry.id);
    return now && now.isInCore !== stands;
  };
  return orFound(() => change(way), find).then(() => say(`${text}: ${brief(entry.text, 60)}`, (isAgain) => undoPlace(entry, stands, () => change(back), isAgain)));
}

export function ForgetDialog({ entry, onDone }) {
  const [everywhere, setEverywhere] = useState(false);
  const others = useLoad((signal) => get(entryPath(entry.id, '/still-says'), null, { signal }), [entry.id]).value?.entries || [];
  const go = async () => {
    const forget = () => call('DELETE', entryPath(entry.id), { query: { everywhere: everywhere || undefined }, match: entry.hash });
    const find = async () => {
      const ids = [entry, ...(everywhere ? others : [])].map(({ id }) => id);
      const stand = await Promise.all(ids.map(standing));
      return !stand[0] && { forgotten: ids.filter((id, i) => !stand[i]) };
    };
    const { forgotten: ids } = await orFound(forget, find);
    onDone();
    say(`Forgotten: ${brief(entry.text, 60)}`, (isAgain) => restoreAll(ids, isAgain));
  };
  return html`<${Dialog} title="Forget this?" onClose=${onDone}>
    <blockquote dir="auto">${brief(entry.text, 300)}</blockquote>
    <p>It is never found again, on no machine. ${entry.file.startsWith('archive/') ? 'Its line stays in the archive.' : ''} You can restore it.</p>
    ${others.length > 0 && html`<p>${counted(others.length, 'other entry says', 'other entries say')} nearly the same:</p><ul class="rows small">${others.map((one) => html`<li key=${one.id}><${EntryLink} entry=${one} /></li>`)}</ul>
      <label class="check"><input type="checkbox" checked=${everywhere} onChange=${(event) => setEverywhere(event.target.checked)} /> Forget these too</label>`}
    <div class="actions"><${Action} run=${go} kind="primary danger">Forget</${Action}><button type="button" onClick=${onDone}>Cancel</button></div></${Dialog}>`;
}

const confirmation = 'purge';

export function PurgeDialog({ entry, onDone }) {
  const [typed, setTyped] = useState('');
  const purge = async () => {
    const answer = await call('POST', entryPath(entry.id, '/purge'), { body: { confirm: typed, hash: entry.hash } });
    onDone();
    say(`Purged from ${counted(answer.files.length + answer.state_files.length, 'file')}${answer.complete ? '' : '; not all could be changed: see Health'}`);
  };
  return html`<${Dialog} title="Purge for ever?" onClose=${onDone}>
    <p>This is for secrets. The words are blanked in every file of the vault, the archive's too, and <strong>cannot be restored</strong>. Git history, backups and other machines may still hold them.</p>
    <blockquote dir="auto">${brief(entry.text, 300)}</blockquote>
    <label>Type “${confirmation}” to go on<input type="text" value=${typed} autocomplete="off" onInput=${(event) => setTyped(event.target.value)} /></label>
    <div class="actions"><${Action} run=${purge} kind="primary danger" disabled=${typed.trim() !== confirmation}>Purge</${Action}><button type="button" onClick=${onDone}>Cancel</button></div></${Dialog}>`;
}
