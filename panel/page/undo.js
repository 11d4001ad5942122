// Taking back what was changed here. Nothing is taken away that somebody wrote since: what the change left has to stand there still;
// else nothing is done, and the page says what stands there now.
import { call, get } from './api.js';
import { brief } from './format.js';

export const entryPath = (id, action = '') => `/memory/entries/${encodeURIComponent(id)}${action}`;

// What counts in the place of an entry now, by its history, since a new text may have a new id; null if nothing does.
export async function standing(id) {
  const gone = (error) => {
    if (error.status !== 404) throw error;
    return { entry: null, replaced_by: [] };
  };
  const { entry, in_core: isInCore, replaced_by: newer } = await get(entryPath(id, '/history')).catch(gone);
  const now = [...newer].reverse().concat(entry || []).find((one) => one.status !== 'inactive');
  return now ? { ...now, isInCore } : null;
}

export const isSame = (one, other) => one.id === other.id && one.hash === other.hash && one.tags.join() === other.tags.join();

async function checkStands(left) {
  const now = await standing(left.id);
  if (!now) throw new Error(`“${brief(left.text, 60)}” does not count any more`);
  if (!isSame(now, left)) throw new Error(`somebody has changed it since. Now it says “${brief(now.text, 160)}”${now.hash === left.hash ? `, with the tags ${now.tags.join(', ') || 'none'}` : ''}`);
  return now;
}

// Those of them that count, as they are.
export async function entriesNow(ids) {
  const all = await Promise.all(ids.map((id) => get(entryPath(id)).catch(() => null)));
  return all.filter(Boolean).map(({ entry }) => entry);
}

// Entries that a change made; only if all that was seen with them stands, too. One may go with another.
export async function forgetWhatWasLeft(entries, seen = entries) {
  for (const one of seen) await checkStands(one);
  for (const one of entries) {
    await call('DELETE', entryPath(one.id), { match: one.hash }).catch((error) => { if (error.status !== 404) throw error; });
  }
}

export const restore = (id) => call('POST', entryPath(id, '/restore'), { body: {} });

// What was forgotten here comes back only if nobody has brought it back since: a correction that was made of it then would give way.
export async function checkGone(ids) {
  for (const id of ids) {
    const now = await standing(id);
    if (now) throw new Error(`somebody has restored it since. Now it says “${brief(now.text, 160)}”`);
  }
}

// As far as each is still there; what cannot be restored is said when all others are.
export async function restoreAll(ids) {
  let failed = null;
  for (const id of ids) await restore(id).catch((error) => { failed ||= error; });
  if (failed) throw failed;
}

// Of an edit in place, and of a line of user.md, which keeps its place and not its id, the old words are put back; else what gave way
// comes back, and what took its place goes. `replaced`: what does not count since.
export async function undoEdit(before, left, replaced) {
  await checkStands(left);
  if (left.id === before.id || left.file === userFile) {
    const body = {};
    if (left.hash !== before.hash) body.text = before.text;
    if (left.tags.join() !== before.tags.join()) body.tags = before.tags;
    const { id } = await call('PATCH', entryPath(left.id), { body, match: left.hash });
    await restoreAll(replaced);
    return id;
  }
  await call('DELETE', entryPath(left.id), { match: left.hash });
  try {
    await restore(before.id);
  } catch (error) {
    await restore(left.id);
    throw error;
  }
  return before.id;
}

export async function undoPlace(left, wasInCore, back) {
  const now = await checkStands(left);
  if (now.isInCore === wasInCore) throw new Error('somebody has done that already');
  await back();
}

// --- user.md ---

const userFile = 'user.md';

// A file that was not there goes again.
export async function undoUserFile(before, after) {
  try {
    await call('POST', '/memory/user-file', { body: { text: before.is_there ? before.text : null, hash: after.hash } });
  } catch (error) {
    if (error.status !== 409) throw error;
    const now = await get('/memory/user-file');
    if (now.hash === after.hash) throw error;
    throw new Error(`somebody has written user.md since. Now it says “${brief(now.text, 160)}”`);
  }
}

// Whether one piece of a text was taken out, and nothing else happened to it.
function isWithoutAPiece(before, after) {
  let same = 0;
  while (same < after.length && before[same] === after[same]) same++;
  return before.length > after.length && before.endsWith(after.slice(same));
}

// A line that is forgotten goes from user.md, and is kept nowhere else: the file is put back as it was.
export async function forgetting(entry, forget) {
  if (entry.file !== userFile) return { answer: await forget(), putBack: () => {} };
  const before = await get('/memory/user-file');
  const answer = await forget();
  const after = await get('/memory/user-file');
  return { answer, putBack: () => isWithoutAPiece(before.text, after.text) && undoUserFile(before, after) };
}
