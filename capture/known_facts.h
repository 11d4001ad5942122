// What a memory knows already that is near to a text: shown to a model, so that it does not say it again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace loci {

inline constexpr size_t known_facts_shown = 10;

// The texts of the nearest durable entries and pending facts, best first. What is private ([privacy] never_send), or
// rests on something that is, is left out.
Result<std::vector<std::string>> nearest_known(Memory& memory, std::string_view text, size_t limit = known_facts_shown);

}  // namespace loci
