// Where the focus goes when what has it is gone: a row that was answered, a button that did its work, an entry that was closed. One
// rule for all: what stands behind it, else the heading of its list, never the body, from where the keyboard would begin anew.
const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
const heading = 'h1, h2';

let last = null; // what had the focus, and its path: of each element above it, what stands around it
let path = [];
let passing = null; // what had it since, and passes by itself
let wanted = null; // by whoever knows better
let held = null; // has it until that is there

const isSeen = (element) => element?.isConnected && element.checkVisibility();
// What passes by itself is no place to come back to: a notice, a question that is asked in a window of its own.
const isPassing = (element) => element.closest('.toast, dialog');

function firstIn(element) {
  if (!isSeen(element)) return null;
  return element.matches(focusable) ? element : [...element.querySelectorAll(focusable)].find(isSeen) || null;
}

// For as long as nothing better is there.
export function holdFocus(element) {
  held = element;
  if (element !== document.body && !element.matches(focusable)) element.tabIndex = -1;
  element.focus();
}

function behind({ after }) {
  for (const one of after) {
    if (isSeen(one) && one.matches(heading)) return null;
    const found = firstIn(one);
    if (found) return found;
  }
  return null;
}

const above = ({ before }) => before.findLast((one) => isSeen(one) && one.matches(heading));

// Beside what is gone; else behind it, or the heading above it, from the inside out.
function nextOf() {
  const beside = path.length > 0 && path[0].before.findLast(firstIn);
  if (path.length > 0 && isSeen(path[0].parent)) {
    const found = behind(path[0]) || (beside && firstIn(beside)) || above(path[0]);
    if (found) return found;
  }
  for (const level of path.slice(1)) {
    if (level.parent.closest('nav, header')) break;
    const found = isSeen(level.parent) && (behind(level) || above(level));
    if (found) return found;
  }
  return [...document.querySelectorAll('h1')].find(isSeen);
}

function siblingsOf(element) {
  const all = [...element.parentElement.children];
  const at = all.indexOf(element);
  return { parent: element.parentElement, before: all.slice(0, at), after: all.slice(at + 1) };
}

function remember({ target }) {
  if (target !== held) wanted = held = null;
  passing = isPassing(target) ? target : null;
  if (passing) return;
  last = target;
  path = [];
  for (let one = target; one.parentElement && one.id !== 'main'; one = one.parentElement) path.push(siblingsOf(one));
}

// Whoever clicks beside everything has left it.
function forget({ target, relatedTarget }) {
  if (!relatedTarget) queueMicrotask(() => { if (target === last && isSeen(target) && !target.disabled) last = null; });
}

function find() {
  const isLost = document.activeElement === document.body;
  if (!(isLost || (wanted && document.activeElement === held)) || document.querySelector('dialog[open]')) return;
  const better = wanted?.();
  if (isSeen(better)) better.focus();
  else if (isLost && isSeen(last) && !last.disabled) last.focus();
  else if (isLost && (last || passing) && !isSeen(last) && !isSeen(passing)) holdFocus(nextOf() || document.body);
}

// What `choose` gives gets the focus as soon as it is there, unless the person goes elsewhere first.
export function focusSoon(choose) {
  const chosen = choose();
  if (isSeen(chosen)) chosen.focus();
  else wanted = choose;
}

export function keepFocus(root) {
  addEventListener('focusin', remember);
  addEventListener('focusout', forget);
  new MutationObserver(find).observe(root, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'class'] });
}
