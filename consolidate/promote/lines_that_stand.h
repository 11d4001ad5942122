// Between choosing lines for the core and writing them a model thinks, and a person may forget, correct or edit meanwhile. One
// thread; the caller holds the consolidation lock.
#pragma once

#include <vector>

#include "base/result.h"
#include "consolidate/decide/material.h"
#include "consolidate/promote/promotion.h"
#include "memory/memory.h"

namespace loci {

// The lines without those whose entry is gone, inactive or says something else by now than when the lines were chosen.
Result<std::vector<PromotedLine>> lines_that_still_stand(Memory& memory, std::vector<PromotedLine> lines,
                                                         const std::vector<DurableEntry>& chosen_from);

}  // namespace loci
