// Taking back what was changed here. Nothing is taken away that somebody wrote since: what the change left has to stand there still;
// else nothing is done, and the page says what stands there now. Each may be asked for again, if its answer was lost: what is as it was
// stays so.
import { call, get } from './api.js';
import { brief } from './format.js';
import { recover } from './trust.js';

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

export const isSame = (one, other) => one?.id === other.id && one.hash === other.hash && one.tags.join() === other.tags.join();

// What a change comes to though its answer is lost: what `find` sees once the daemon is back, if that is anything.
export async function orFound(change, find) {
  try {
    return await change();
  } catch (error) {
    if (error.status !== 0) throw error;
    await recover();
    const found = await find();
    if (!found) throw new Error('The daemon did not answer, and nothing was changed');
    return found;
  }
}

function refuse(now, left) {
  if (!now) throw new Error(`“${brief(left.text, 60)}” does not count any more`);
  throw new Error(`somebody has changed it since. Now it says “${brief(now.text, 160)}”${now.hash === left.hash ? `, with the tags ${now.tags.join(', ') || 'none'}` : ''}`);
}

async function checkStands(left) {
  const now = await standing(left.id);
  if (!isSame(now, left)) refuse(now, left);
  return now;
}

// Those of them that count, as they are.
export async function entriesNow(ids) {
  const all = await Promise.all(ids.map((id) => get(entryPath(id)).catch(() => null)));
  return all.filter(Boolean).map(({ entry }) => entry);
}

async function forgetAll(entries) {
  for (const one of entries) {
    await call('DELETE', entryPath(one.id), { match: one.hash }).catch((error) => { if (error.status !== 404) throw error; });
  }
}

// Entries that a change made. One may go with another, or have gone.
export async function forgetWhatWasLeft(entries) {
  for (const one of entries) {
    const now = await standing(one.id);
    if (now && !isSame(now, one)) refuse(now, one);
  }
  await forgetAll(entries);
}

// Only if all of those that were seen stand.
export async function forgetOf(seen, entries) {
  for (const one of seen) await checkStands(one);
  await forgetAll(entries);
}

export const restore = (id, body = {}) => call('POST', entryPath(id, '/restore'), { body });

// What was forgotten here comes back, unless somebody has brought it back since, and maybe changed it: a correction that was made of it
// would give way. `isAgain`: it may have come back by this. As far as each is still there; what cannot be restored is said when all others
// are.
export async function restoreAll(ids, isAgain) {
  const gone = [];
  for (const id of ids) {
    const now = await standing(id);
    if (now && !(isAgain && now.id === id)) throw new Error(`somebody has restored it since. Now it says “${brief(now.text, 160)}”`);
    if (!now) gone.push(id);
  }
  let failed = null;
  // One may bring back others.
  for (const id of gone) if (!(await standing(id))) await restore(id).catch((error) => { failed ||= error; });
  if (failed) throw failed;
}

// In one request. What gave way (`ended`, an id) comes back and what took its place goes; of an edit in place, which ended nothing, the
// old words are put back.
export async function undoEdit(before, left, ended) {
  const now = await standing(left.id);
  if (!isSame(now, left)) {
    if (!isSame(await standing(before.id), before)) refuse(now, left);
  } else if (ended) {
    await restore(ended, { instead_of: left.hash });
  } else {
    const body = {};
    if (left.hash !== before.hash) body.text = before.text;
    if (left.tags.join() !== before.tags.join()) body.tags = before.tags;
    await call('PATCH', entryPath(left.id), { body, match: left.hash });
  }
}

export async function undoPlace(left, wasInCore, back, isAgain) {
  const now = await checkStands(left);
  if (now.isInCore !== wasInCore) await back();
  else if (!isAgain) throw new Error('somebody has done that already');
}

export async function undoRun(id, isAgain) {
  const path = `/memory/runs/${encodeURIComponent(id)}`;
  if (!(isAgain && (await get(path)).undone_by)) await call('POST', `${path}/undo`, { body: {} });
}

// --- user.md ---

export const userFile = 'user.md';

// A file that was not there goes again.
export async function undoUserFile(before, after) {
  try {
    await call('POST', '/memory/user-file', { body: { text: before.is_there ? before.text : null, hash: after.hash } });
  } catch (error) {
    if (error.status !== 409) throw error;
    const now = await get('/memory/user-file');
    if (now.hash === before.hash) return;
    if (now.hash === after.hash) throw error;
    throw new Error(`somebody has written user.md since. Now it says “${brief(now.text, 160)}”`);
  }
}
