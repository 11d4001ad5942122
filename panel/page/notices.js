// What was done, said for ten seconds, and its Undo. Of those that can be taken back the last one is shown, and when that is done or
// over the one before it; of the others the last one. No notice takes an Undo away, nor does a daemon that does not answer: while the
// connection is lost an Undo stays, and one that got no answer is offered again.
import { html } from './htm-preact.js';
import { set, state, useStore } from './state.js';

const span = 10000; // milliseconds

const without = (notice) => state.notices.filter((one) => one !== notice);
const lastOf = (notices) => notices.findLast((one) => one.undo);

function endLater(notice) {
  setTimeout(() => (notice.undo && state.connection === 'lost' ? endLater(notice) : set({ notices: without(notice) })), span);
}

function add(notice) {
  set({ notices: [...state.notices.filter((one) => one.undo), notice] });
  endLater(notice);
}

let count = 0;

// `takeBack` is given whether it was tried before without an answer, and may be done.
export const say = (text, takeBack) => add({ key: ++count, text, undo: takeBack });

let isUndoing = false;

export async function undo(notice = lastOf(state.notices)) {
  if (isUndoing || !state.notices.includes(notice)) return; // a second click finds none
  isUndoing = true;
  set({ notices: without(notice) });
  try {
    await notice.undo(notice.isAgain);
    say('Undone');
  } catch (error) {
    if (error.status === 0 || error.status >= 500) add({ ...notice, key: ++count, isAgain: true, trouble: error.message });
    else say(`It could not be undone: ${error.message}`);
  }
  isUndoing = false;
}

function Notice({ one }) {
  return html`<div class="toast-box" data-notice=${one.key}><span>${one.text}${one.trouble && `. It is not known to be undone: ${one.trouble}`}</span>
    ${one.undo && html`<button type="button" aria-keyshortcuts="Control+Z" onClick=${() => undo(one)}>Undo</button>`}</div>`;
}

export function Notices() {
  const all = useStore(({ notices }) => notices);
  const shown = [lastOf(all), all.findLast((one) => !one.undo)].filter(Boolean);
  return html`<div class="toast" role="status">${shown.map((one) => html`<${Notice} one=${one} key=${one.key} />`)}</div>`;
}
