// Taking in another loci memory: an export (JSON or JSON lines), or a vault's folder. Dates, ids and origin are kept, sources too:
// loci is trusted to have kept them. Facts, turns and summaries go to the archive, at their own day; consolidated entries to
// consolidated/memory.md as they stood, what a person had changed in them included, with ledger lines for the facts that they hold.
// What stood in user.md, or in MEMORY.md as a person's own, stands there again (memory/import_own.h). What stood in a note becomes
// a fact, one without a date in archive/undated.md; so does what user.md has no room for. A date that is more than a day ahead
// becomes now.
//
// What this vault has removed does not come back, by its id or by its text, whatever its date; a purge keeps no hash, so it works
// by the id alone. A second run adds nothing: an id that is known is left out, and so is a fact or a durable entry whose text is.
// Of a record of another memory its id and text together are known: with another text it is a newer version, that takes the place
// of the older one and leaves it in the history, unless a person changed, corrected or forgot it here. An older export changes
// nothing; a text that comes back with a later date counts again. Of two records with one id in one export the first counts. What a
// person worded of an older version goes on resting on it, and `status` asks about it. A run that was killed is finished by the
// next one, and ends with the same entries. Nothing of it is pending meanwhile: first the consolidated entries are written, then
// the ledger, user.md and MEMORY.md, then the archive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/exported_entry.h"
#include "memory/memory.h"

namespace loci {

// An entry that was not taken in because this vault has removed it, or what it rests on, or must not remember it.
struct LeftOut {
  enum class Why : std::uint8_t { deleted, corrected, purged, rests_on_removed, kept_out, changed };
  std::string id, text;
  Why why = Why::deleted;
  std::string restore;  // the id that `loci restore` takes back, so that it can be taken in; empty after a purge
};
std::string_view name_of(LeftOut::Why why);  // "deleted", "corrected", "purged", "rests-on-removed", "kept-out", "changed"

// It should stand in that file, which has no room for it or cannot hold it there: so it is a fact.
struct NoRoom {
  std::string id, text, file;
};

struct Imported {
  size_t found = 0;  // entries in the export
  size_t known = 0;  // left out: this memory has them
  size_t archived = 0, consolidated = 0;
  std::map<std::string, size_t> own;  // texts that were put into user.md and MEMORY.md
  size_t updated = 0;                 // newer texts of records that were here, which supersede the older ones
  size_t open = 0;                    // of those taken in, what bears the tag "private", which no rule of never_send names here
  std::vector<LeftOut> left_out;
  std::vector<NoRoom> no_room;  // among the archived
  Searchable searchable;
};

// `kept_out`: the ids of what was said when nothing was to be remembered. With `dry_run` nothing is written and the counts say what
// would be. Fails with nothing but consolidated entries and ledger lines written, or with a part of the archive; the next run goes
// on from there.
Result<Imported> import_entries(Memory& memory, const std::vector<ExportedEntry>& entries, bool dry_run,
                                const std::set<std::string>& kept_out = {});

// The same for one batch of many: the index has to be up to date, and is afterwards, as `searchable` says. What it takes grows with
// the batch, not with the vault. A conversation belongs into one batch: by which way a turn came is told by the ids beside it.
Result<Imported> import_batch(Memory& memory, const std::vector<ExportedEntry>& entries, bool dry_run,
                              const std::set<std::string>& kept_out = {});

}  // namespace loci
