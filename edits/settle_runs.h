// After a merge: two machines may have consolidated the same facts at once. Of two entries that rest on one fact one stands, and
// what only the other one rested on is pending again. Of two that say the same in the place of one entry, as where two machines
// took in the same edit, or in it, as where somebody typed what another machine corrected it to, one stands with the facts of
// both; if one of them was deleted since, both are. Pending again is also a fact whose text went when two runs had
// rewritten one entry. The logs decide which, so every machine comes to the same, and doing it twice changes nothing. What a
// person has edited stays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/memory.h"

namespace loci {

struct SettledRuns {
  std::vector<std::string> removed;  // entries that said what another one says
  std::vector<std::string> pending;  // facts that are folded anew
  std::vector<std::string> files;    // that were changed
};

// Needs the consolidation lock for a moment. None: a run goes on, and nothing was done.
Result<std::optional<SettledRuns>> settle_runs(Memory& memory);

}  // namespace loci
