// Between choosing lines for the core and writing them a model thinks, and a person may forget, correct or edit meanwhile. One
// thread; the caller holds the consolidation lock.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/material.h"
#include "consolidate/promote/promotion.h"
#include "memory/memory.h"

namespace loci {

// The lines without those whose entry is gone, inactive or says something else by now than when the lines were chosen.
Result<std::vector<PromotedLine>> lines_that_still_stand(Memory& memory, std::vector<PromotedLine> lines,
                                                         const std::vector<DurableEntry>& chosen_from);

// Those of the core's refs that a run cannot choose again, and so leaves as they are: entries in question, and texts that stand
// somewhere without a comment.
Result<std::set<std::string>> lines_to_leave(Memory& memory, const std::vector<std::string>& shown);

}  // namespace loci
