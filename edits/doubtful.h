// What counts as taken out because a save equals an older version of its file in everything: an editor that saved an old buffer
// once more leaves the same. `status` lists it until a person has answered, or it is back.
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

// A person says that it was meant.
Status note_that_it_was_meant(const Vault& vault, Act act);

}  // namespace loci
