// For `loci resolve`: entries that two machines corrected differently.
#pragma once

#include "base/json.h"
#include "cli/command.h"
#include "memory/correction_conflicts.h"

namespace loci::cli {

Json conflict_to_json(const CorrectionConflict& conflict);

// Shows the versions; on a terminal asks which one is right and forgets the others. Elsewhere says how to do that.
Status settle_conflict(Output& out, Memory& memory, const CorrectionConflict& conflict, bool may_ask);

}  // namespace loci::cli
