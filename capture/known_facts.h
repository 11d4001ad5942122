// What a memory knows already that is near to a text: shown to a model, so that it does not say it again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace loci {

struct KnownFact {
  std::string id, text;
  std::string day = {};  // on which it was said; empty if nobody knows
};

inline constexpr size_t known_facts_shown = 10;

// The nearest durable entries and pending facts, best first, as far as they may be sent (memory/may_send.h).
Result<std::vector<KnownFact>> nearest_known(Memory& memory, std::string_view text, size_t limit = known_facts_shown);

}  // namespace loci
