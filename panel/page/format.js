// Values as people read them.

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const grouped = new Intl.NumberFormat('en');

export const number = (value) => grouped.format(value ?? 0);
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
export const percent = (share) => `${Math.round(share * 100)} %`;

const valid = (text) => text && !Number.isNaN(Date.parse(text));
// Of a date the daemon says the first moment at Greenwich: it is that day here, too, and has no hour.
const dayIn = (text) => /^(\d{4}-\d\d-\d\d)(T00:00:00(\.0+)?Z)?$/.exec(text)?.[1];
export const dateOf = (text) => (valid(text) ? day.format(new Date(dayIn(text) ? `${dayIn(text)}T00:00` : text)) : text || 'no date');
// "2026-11-21", where this browser is.
export const dayOf = (time) => [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
// A date without a time is shown without one.
export const timeOf = (text) => (valid(text) && !dayIn(text) ? moment.format(new Date(text)) : dateOf(text));
export const saidAt = (entry) => entry.at || entry.updated || entry.first_seen;
export const saidTime = (entry) => timeOf(saidAt(entry));

export function bytes(count) {
  if (!count) return '0 bytes';
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${power === 0 ? count : (count / 1000 ** power).toFixed(1)} ${units[power]}`;
}

export const placeOf = (entry) => (entry.file ? `${entry.file}${entry.line ? `:${entry.line}` : ''}` : 'in no file');

const sources = {
  correction: 'you corrected it',
  user: 'you said it',
  agent: 'an agent wrote it',
  system: 'loci made it',
};
export const sourceOf = (source) => sources[source] || source;

const layers = { L0: 'always in the prompt', L1: 'what is known', L2: 'the past' };
export const layerOf = (layer) => layers[layer] || layer;

// A text of which nothing can be seen would be a link that nobody finds.
export const visible = (text) => (!text || /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text) ? text : `${text}(words that cannot be seen)`);

// The beginning of a text on one line.
export function brief(text, most = 220) {
  const line = text.slice(0, most * 4).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  return visible(points.length > most ? `${points.slice(0, most).join('')}…` : line);
}
