// How much a run may take away: an answer that passes every other check may still be a model that tidies up too much. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/plan.h"

namespace loci {

// Would the run, with this plan on top of what it did so far, lose at least 4 entries and more than 10 % of them, or shrink their
// text by more than 20 % and 2 KB? ErrorCode::refused says so, with the figures, and nothing is counted then. The first call
// counts what there is before.
struct RunLosses {
  std::int64_t entries_before = 0, entries_lost = 0;
  std::int64_t bytes_before = 0, bytes_lost = 0;  // lost: net of what was added
};
Status check_losses(RunLosses& losses, const Plan& plan, const Material& material);

// The independent parts of `decision` with which the run stays within that, those that take away least first; of the others every
// operation is refused with the reason. Nothing is counted: the plan of what is left has to be checked when it is done.
struct Bearable {
  Decision decision;
  std::vector<RefusedOperation> refused;
};
Bearable bearable_part(RunLosses losses, const Decision& decision, const Material& material, const Cluster& cluster,
                       const RunIdentity& identity);

}  // namespace loci
