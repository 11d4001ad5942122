// Writing down what a person's edit was found to mean. Durable when a function returns; each may be called again after a failure.
#pragma once

#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "edits/seen_file.h"
#include "memory/memory.h"
#include "vault/logs/chronicle.h"
#include "vault/logs/logs.h"

namespace loci {

// Tombstones for the entries and for the facts that they rest on; the entries' markdown, from the versions that they stood in, is
// kept for `restore`, and their lines are taken out of the core. Returns the tombstones.
Result<std::vector<Tombstone>> delete_entries(Memory& memory, const std::string& file, const std::vector<Absence>& entries);

// A person made one text of an entry and another one, `into`.
struct MergedEntry {
  Absence entry;
  std::string into;
};
// Those have the facts of the entries from now on.
Status merge_entries(Memory& memory, const std::vector<MergedEntry>& merged);

// What these rested on is pending again.
Status let_go_of_entries(Memory& memory, const std::vector<Absence>& entries);

// This text of an entry that was deleted with another one is deleted, too.
Status delete_text(Memory& memory, const std::string& id, const std::string& hash);

// `demoted`: not promoted again; the entries stay. What is left of an emptied line goes. Returns the tombstones.
Result<std::vector<Tombstone>> demote_lines(Memory& memory, const std::vector<Absence>& lines);

// What the line with this ref says in `core_file` (the bytes of MEMORY.md) is right, and the entry that it shows was not. The line
// stays where it is and shows the new entry. `shown`: what was promoted; if that was a shorter wording of the entry,
// the entry stays, and the new line is filed as a fact that corrects it. Returns the id of the new entry, or of that fact; empty if
// the entry says that already, or if there is no such entry: the line is the person's own then.
struct ShownLine {
  std::string hash;
  std::string text = {};  // empty: nobody knows it any more
};
Result<std::string> correct_line(Memory& memory, const std::string& ref, const ShownLine& shown, const std::string& core_file);

}  // namespace loci
