// Which of many entries to look at first: what these reach, most of the others cannot.
#pragma once

#include <span>
#include <vector>

#include "recall/relevance.h"

namespace loci {

// So many of those that are or can be the most relevant, later rows before earlier ones, for these are new. In the order of
// `entries`, which stay where they are: records of neighbouring rows lie together.
std::vector<RankedEntry*> most_promising(std::span<RankedEntry> entries, size_t count);

}  // namespace loci
