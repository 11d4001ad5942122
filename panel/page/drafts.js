// What a person types is theirs until they save it or put it away: it outlives a form that goes because another entry is opened, or
// because what it changes is gone. It is in memory only, so whoever closes or reloads the page is asked first. And nothing is written
// over that was not seen: both stand side by side first.
import { html, useState } from './htm-preact.js';
import { markdown } from './markdown.js';
import { hold } from './trust.js';

const drafts = new Map();

// Of an entry that is edited or corrected, of "user.md", or of a setting: { text, tags, seen }, where `seen` is what stood there when
// it was begun, and `tags` are a text as it was typed, of what has some.
export const draftOf = (key) => drafts.get(key) || null;

export const tagsFrom = (text) => text.split(/[,\s]+/).map((tag) => tag.replace(/^#/, '')).filter(Boolean);

const hasOtherTags = ({ tags, seen }) => tags !== undefined && tagsFrom(tags).join() !== seen.tags.join();

// What was typed and is not saved, for whoever can save it no more: what it is, and the words.
export function unsaved() {
  const changed = [...drafts].filter(([, one]) => one.text !== one.seen.text || hasOtherTags(one));
  return changed.map(([key, one]) => ({ key, words: hasOtherTags(one) ? `${one.text}\n\nTags: ${one.tags}` : one.text }));
}

addEventListener('beforeunload', (event) => {
  if (unsaved().length === 0) return;
  event.preventDefault();
  hold();
});

// The draft that was begun, else `initial`; a function that changes some of it, and one that puts it away.
export function useDraft(key, initial) {
  const [draft, setDraft] = useState(() => drafts.get(key) || initial);
  const change = (part) => {
    drafts.set(key, { ...(drafts.get(key) || draft || initial), ...part });
    setDraft(drafts.get(key));
  };
  const putAway = () => {
    drafts.delete(key);
    setDraft(null);
  };
  return [draft, change, putAway];
}

// What stands nowhere any more has nothing to stand beside: the words are its person's to keep or to put away.
export function Gone({ mine, onNew, onDrop }) {
  return html`<div class="conflict" role="alert"><p>Somebody took this entry away while you wrote. Your words are not stored yet.</p>
    <div class="side"><p class="side-title">Yours</p>${markdown(mine)}</div>
    <div class="actions"><button type="button" class="primary" onClick=${onNew}>Save mine as a new entry</button><button type="button" onClick=${onDrop}>Discard mine</button></div></div>`;
}

export function Conflict({ mine, now, what, onMine, onNow }) {
  return html`<div class="conflict" role="alert"><p>Somebody changed ${what} while you did. Which words are right?</p>
    <div class="sides"><div><p class="side-title">Yours</p>${markdown(mine)}<button type="button" class="primary" onClick=${onMine}>Keep mine</button></div>
      <div><p class="side-title">In the file now</p>${markdown(now)}<button type="button" onClick=${onNow}>Keep that</button></div></div></div>`;
}
