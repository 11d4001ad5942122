// The best of what matched, kept while one entry after the other is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "indexer/index_reader.h"
#include "recall/relevance.h"

namespace loci {

// An entry that may be shown.
struct ScoredEntry {
  const RankedEntry* ranked = nullptr;
  double score = 0, recency = 1, trust = 1;
  std::int64_t at = 0;
  ThreadId thread = 0;
};

// What an entry's record makes of its relevance.
class EntryWeigher {
 public:
  EntryWeigher(Instant now, double half_life_days, double floor) : now_(now), half_life_days_(half_life_days), floor_(floor) {}
  ScoredEntry of(const RankedEntry& entry, const EntryColumns& columns) const;

 private:
  Instant now_;
  double half_life_days_, floor_;  // of recency
};

// Score, then time; the id decides last, where it is known.
bool comes_before(const ScoredEntry& a, const ScoredEntry& b);

class BestEntries {
 public:
  explicit BestEntries(size_t count) : count_(count), full_(2 * count) {}

  // Nothing with less is among the best any more.
  double floor() const { return floor_; }
  void add(const ScoredEntry& candidate);
  // Raises the floor to what the wanted number of them reach.
  void drop_the_rest();
  // In order, ids included.
  std::vector<ScoredEntry> take(IndexReader& reader);

 private:
  size_t count_, full_;  // at so many the worst go
  double floor_ = 0;
  std::vector<ScoredEntry> candidates_;
};

}  // namespace loci
