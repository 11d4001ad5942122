// The keyboard: "/" to the search box, j and k from row to row, Enter opens (rows are links), Esc closes what was opened last, Ctrl+Z
// takes back the last change, unless it is to take back what is typed. In a field and in a dialog keys are theirs.
import { focusSoon } from './focus.js';
import { undo } from './notices.js';
import { closeEntry, entryAddress, go, state } from './state.js';

export const views = [
  ['search', 'Search'], ['memory', 'Memory'], ['conversations', 'Conversations'], ['consolidation', 'Consolidation'],
  ['used', 'Used'], ['health', 'Health'], ['settings', 'Settings'],
];

const isField = (element) => ['INPUT', 'TEXTAREA', 'SELECT'].includes(element?.tagName) || element?.isContentEditable;
// Of which the browser knows what was typed before.
const isTyping = (element) => isField(element) && !element.matches('select, input[type=checkbox]');

function moveBy(step) {
  const rows = [...document.querySelectorAll('.view a.row')];
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

export function listenToKeys() {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    // The browser would take back what was last typed, be it in the search box of another view.
    if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && !isTyping(event.target)) {
      event.preventDefault();
      if (event.key === 'z') undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (isField(document.activeElement)) document.activeElement.blur();
      else if (state.route.params.entry) leaveEntry();
      return;
    }
    if (isField(event.target)) return;
    if (event.key === '/') {
      event.preventDefault();
      document.querySelector('input[type=search]')?.focus();
    } else if (event.key === 'j' || event.key === 'ArrowDown') {
      event.preventDefault();
      moveBy(1);
    } else if (event.key === 'k' || event.key === 'ArrowUp') {
      event.preventDefault();
      moveBy(-1);
    } else if (/^[1-7]$/.test(event.key)) {
      go(views[Number(event.key) - 1][0]);
    }
  });
}

// The focus goes back to the row that led here.
export function leaveEntry() {
  const address = entryAddress(state.route.params.entry);
  closeEntry();
  focusSoon(() => [...document.querySelectorAll('.view a.row')].find((row) => row.getAttribute('href') === address && row.checkVisibility()));
}
