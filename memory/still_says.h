// What else in a memory says the same as a text: turns, summaries, notes that hold nearly all of its words. For `forget`, which
// lists them, so that a person sees what is left.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace loci {

// Active entries whose text has at least this share of the words.
inline constexpr double says_the_same = 0.9;
inline constexpr size_t most_still_said = 50;

Result<std::vector<Entry>> what_still_says(Memory& memory, std::string_view text);

}  // namespace loci
