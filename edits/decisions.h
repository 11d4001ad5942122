// Writing down what a person's edit was found to mean. Durable when a function returns; each may be called again after a failure.
#pragma once

#include <string>
#include <vector>

#include "edits/edit_state.h"
#include "memory/memory.h"

namespace loci {

// Tombstones for the entries and for the facts that they rest on; the entries' markdown is kept for `restore`, and their lines are
// taken out of the core.
Status delete_entries(Memory& memory, const EditState& state, const std::string& file, const std::vector<Absence>& entries);

// `demoted`: not promoted again; the entries stay.
Status demote_lines(Memory& memory, const std::vector<Absence>& lines);

// What the line with this ref says in `core_file` (the bytes of MEMORY.md) is right, and the entry that it shows was not. The line
// stays where it is and shows the new entry. False if there is no such entry, or it says that already.
Result<bool> correct_line(Memory& memory, const std::string& ref, const std::string& core_file);

}  // namespace loci
