// What counts, though a person may have meant something else by it. Taken out: a save equals an older version of its file in
// everything, and an editor that saved an old buffer once more leaves the same. Their own: a promoted line was reworded of which
// the entry had been forgotten or corrected meanwhile. `status` lists it until a person has answered, or it is as it was.
#pragma once

#include <string>
#include <vector>

#include "edits/act_log.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

// In the order in which they were understood.
Result<std::vector<Act>> doubtful_acts(const Vault& vault);

// For `status`; not for `doctor`, as nothing is wrong.
void add_doubtful_acts(const Vault& vault, std::vector<Problem>& problems);

// Whether it is of words that stand, and not of what is gone.
bool is_of_words(const Act& act);
// What a person names to answer: the entry that went, or the line that stands.
std::string id_in_question(const Vault& vault, const Act& act);
// Those words leave MEMORY.md.
Status take_words_out(const Vault& vault, const Act& act);

// A person says that it was meant.
Status note_that_all_were_meant(const Vault& vault, const std::string& entry);  // all that were done to it
Status note_that_it_was_meant(const Vault& vault, Act act);

}  // namespace loci
