// Ranked entries for a question.
#pragma once

#include "operations/filter.h"
#include "operations/operation.h"
#include "recall/search.h"

namespace loci {

inline constexpr auto search_parameters =
    joined(filter_parameters,
           std::to_array<Parameter>({
               {"--limit", "N", ValueKind::number, "at most so many (else recall.limit, 8)", false, {}, false, 1, most_hits},
               {"--threads", "", ValueKind::none, "rank sessions as well"},
               {"--history", "", ValueKind::none, "search the whole archive too (layer L2)"},
               {"--precise", "", ValueKind::none, "only what answers, or nothing"},
               {"--inactive", "", ValueKind::none, "also what was forgotten or corrected", false, {}, false, 0, 0, true},
               {"--asked-in", "ID", ValueKind::session, "the conversation that asks, for the record of what it was given", false,
                "asked_in"},
               {"--explain", "", ValueKind::none, "show what each score is made of"},
           }));

extern const MemoryOperation search_operation;

}  // namespace loci
