// One entry that two machines corrected differently before they knew of each other. Both corrections stay until a person decides.
#pragma once

#include <string>
#include <vector>

#include "memory/memory.h"
#include "vault/layout/problem.h"

namespace loci {

struct CorrectionConflict {
  std::string id;               // of what was corrected; of a fact that was folded into an entry, the entry's
  std::vector<Entry> versions;  // active ones, each with another text; instead of a fact the entry that says it
};

// Asks the index only for what the logs say was corrected twice: nothing, as a rule.
Result<std::vector<CorrectionConflict>> correction_conflicts(Memory& memory);

// As `status` tells of it.
Problem problem_of(const CorrectionConflict& conflict);

}  // namespace loci
