// Markdown as elements: a safe subset, made of text nodes only, so that whatever stands in a memory is shown and never run. What is
// not understood is shown as it stands. Links are shown with where they lead; only http, https and mailto can be followed.
import { visible } from './format.js';
import { h } from './htm-preact.js';

export const longestText = 20000; // characters that are drawn; more is said to be there
const inline = /(`+)([^`][\s\S]{0,2000}?)\1(?!`)|\*\*(?=\S)([^*]{1,2000}?)\*\*|(?<![\w*])[*_](?=\S)([^*_]{1,2000}?)[*_](?!\w)|\[([^\]]{1,500})\]\(([^)\s]{1,2000})\)|(https?:\/\/[^\s<>"')\]]{1,2000})/g;

function isSafe(address) {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

function link(text, address) {
  if (!isSafe(address)) return `[${text}](${address})`;
  const shown = text === address ? text : [h('bdi', null, text), h('span', { class: 'dim' }, ` (${address})`)];
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, shown);
}

export function inlineOf(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    const [all, , code, strong, emphasis, label, address, bare] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(h('code', null, code));
    else if (strong !== undefined) parts.push(h('strong', null, strong));
    else if (emphasis !== undefined) parts.push(h('em', null, emphasis));
    else if (label !== undefined) parts.push(link(label, address));
    else parts.push(link(bare, bare));
    end = match.index + all.length;
  }
  parts.push(text.slice(end));
  return parts;
}

const isFence = (line) => /^\s{0,3}(```|~~~)/.test(line);
const item = /^\s{0,6}([-*+]|\d{1,9}[.)])\s+/;

// The block that begins at `at`: [element, the line behind it].
function block(lines, at) {
  const line = lines[at];
  if (isFence(line)) {
    let end = at + 1;
    while (end < lines.length && !isFence(lines[end])) end++;
    return [h('pre', { tabindex: 0 }, h('code', null, lines.slice(at + 1, end).join('\n'))), end + 1];
  }
  const heading = /^\s{0,3}#{1,6}\s+(.*)$/.exec(line);
  if (heading) return [h('p', { class: 'heading' }, inlineOf(heading[1])), at + 1];
  let end = at + 1;
  if (item.test(line)) {
    while (end < lines.length && lines[end].trim() && !isFence(lines[end])) end++;
    const items = [];
    for (const one of lines.slice(at, end)) {
      if (item.test(one)) items.push(one.replace(item, ''));
      else items[items.length - 1] += `\n${one.trim()}`;
    }
    return [h(/^\s*\d/.test(line) ? 'ol' : 'ul', null, items.map((one) => h('li', null, inlineOf(one)))), end];
  }
  const quoted = line.startsWith('>');
  while (end < lines.length && lines[end].trim() && lines[end].startsWith('>') === quoted && !isFence(lines[end]) && !item.test(lines[end])) end++;
  const text = lines.slice(at, end).map((one) => (quoted ? one.replace(/^>\s?/, '') : one)).join('\n');
  return [h(quoted ? 'blockquote' : 'p', { dir: 'auto' }, inlineOf(text)), end];
}

export function markdown(text) {
  const lines = visible(text.slice(0, longestText)).split(/\r?\n/);
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    if (!lines[at].trim()) {
      at++;
      continue;
    }
    const [element, next] = block(lines, at);
    blocks.push(element);
    at = next;
  }
  if (text.length > longestText) blocks.push(h('p', { class: 'dim' }, `… and ${(text.length - longestText).toLocaleString('en')} more characters, in the file`));
  return h('div', { class: 'prose', dir: 'auto' }, blocks);
}
