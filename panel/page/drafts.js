// What a person types is theirs until they save it or put it away: it outlives a form that goes because another entry is opened, or
// because what it changes is gone. And nothing is written over that was not seen: both stand side by side first.
import { html, useState } from './htm-preact.js';
import { markdown } from './markdown.js';

const drafts = new Map();

// Of an entry that is edited or corrected, or of "user.md": { text, tags, seen }, where `seen` is what stood there when it was begun.
export const draftOf = (key) => drafts.get(key) || null;

// What was typed and is not saved, for whoever can save it no more.
export const unsaved = () => [...drafts.values()].map((one) => one.text);

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

export function Conflict({ mine, now, what, onMine, onNow }) {
  return html`<div class="conflict" role="alert"><p>Somebody changed ${what} while you did. Which words are right?</p>
    <div class="sides"><div><p class="side-title">Yours</p>${markdown(mine)}<button type="button" class="primary" onClick=${onMine}>Keep mine</button></div>
      <div><p class="side-title">In the file now</p>${markdown(now)}<button type="button" onClick=${onNow}>Keep that</button></div></div></div>`;
}
