// Which memories an answer was given.
#pragma once

#include <array>

#include "context/used.h"
#include "memory/filter_values.h"
#include "operations/operation.h"

namespace loci {

inline constexpr auto used_parameters = std::to_array<Parameter>({
    {"--session", "ID", ValueKind::session, "the conversation (else the only one of the last hour)"},
    {"--turn", "N", ValueKind::number, "only this message of it"},
    {"--limit", "N", ValueKind::number, "the latest so many messages (else 100)", false, {}, false, 1, most_listed},
    {"--before", "N", ValueKind::number, "those before: the `next` of the page after them"},
});

// The latest turns, oldest first. `next`: where the page before it ends; 0 if there is none.
struct UsedPage {
  std::vector<UsedTurn> turns;
  size_t next = 0;
};
UsedPage page_of_used(std::vector<UsedTurn> turns, const Values& values);
Json used_page_to_json(const UsedPage& page);

extern const MemoryOperation used_operation;

}  // namespace loci
