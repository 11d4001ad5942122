// Forgetting; memory/restore.h takes it back. Tombstones come first, and decide; then the text is taken out of the files that loci
// writes (consolidated/, the core of MEMORY.md, user.md). Archive text and a person's notes stay as they are and are never returned
// again.
#pragma once

#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/authority.h"
#include "memory/memory.h"

namespace loci {

struct ForgetOptions {
  bool everywhere = false;  // suppress what else says it too
  Actor actor = Actor::person;
  bool alone = false;  // by its id: what says the same elsewhere stays
};

struct Forgotten {
  std::vector<Entry> entries;      // what was forgotten, the entries suppressed by `everywhere` included
  std::vector<Entry> still_say;    // active entries that say nearly the same
  std::vector<std::string> files;  // that were rewritten, relative
  std::vector<std::string> notes;  // for a person: what could not be done, and why
  Searchable searchable;           // whether the index knows
  std::vector<Entry> apart = {};   // left its file; what else it rests on is pending again
};

// `ids`: ids or unique prefixes; if one of them is no entry, or one that the actor may not remove, nothing is written.
Result<Forgotten> forget(Memory& memory, const std::vector<std::string>& ids, const ForgetOptions& options);

// For a command that writes: as find_entry, but if the entry is unknown and files are pending, the index is waited for.
Result<Entry> find_entry_to_change(Memory& memory, const std::string& id_or_prefix, bool inactive = false);

}  // namespace loci
