// An entry, or a promoted line, that a person copied with its comment, and that says something else than the one that it was copied
// from, is text of their own: it loses the comment, and with it the name. The name stays with what loci wrote.
#pragma once

#include <set>
#include <string>

#include "memory/memory.h"

namespace loci {

// Of MEMORY.md. A copy that cannot be told apart stays as it is, though nobody finds it.
Status let_go_of_copied_lines(Memory& memory);

// A promoted line that says something else, and of which the entry is gone: nobody would find its words otherwise.
Status let_go_of_line(Memory& memory, const std::string& ref, const std::string& text_hash);

// Of consolidated/, as the index knows it. `untouchable`: files that a person is asked about. What cannot be rewritten now keeps
// its comment: `doctor` lists it, and the next save is another chance.
Status let_go_of_copied_entries(Memory& memory, const std::set<std::string>& untouchable);

// Whether the index knows of such copies: one that was saved while a file was being renamed is told apart later.
bool are_copies_left(Memory& memory);

}  // namespace loci
