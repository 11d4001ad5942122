// Threads, best first: how well each answers, and the age and origin of its best entry.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "recall/best_entries.h"

namespace loci {

struct ShownThread {
  ThreadId thread = 0;
  double score = 0;
  ScoredEntry best;
};

// The best `count` of those of which an entry may be shown; `best` has the best one of each.
std::vector<ShownThread> order_threads(IndexReader& reader, std::span<const RankedThread> threads,
                                       const std::unordered_map<ThreadId, ScoredEntry>& best, size_t count);

}  // namespace loci
