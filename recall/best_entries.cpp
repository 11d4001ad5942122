#include "recall/best_entries.h"

#include <algorithm>
#include <limits>
#include <string>

#include "recall/score.h"

namespace loci {
namespace {

constexpr size_t ties_looked_at = 256;  // entries of one score and one time whose ids decide who is in

bool is_tied(const ScoredEntry& a, const ScoredEntry& b) { return !comes_before(a, b) && !comes_before(b, a); }

void order_ties(IndexReader& reader, std::vector<ScoredEntry>& candidates) {
  for (size_t begin = 0; begin < candidates.size();) {
    size_t end = begin + 1;
    while (end < candidates.size() && is_tied(candidates[begin], candidates[end])) ++end;
    if (end - begin > 1) {
      std::vector<std::pair<std::string, ScoredEntry>> by_id;
      for (size_t i = begin; i < end; ++i) by_id.emplace_back(reader.id_of(candidates[i].ranked->row), candidates[i]);
      std::ranges::sort(by_id, {}, &std::pair<std::string, ScoredEntry>::first);
      for (size_t i = begin; i < end; ++i) candidates[i] = by_id[i - begin].second;
    }
    begin = end;
  }
}

}  // namespace

ScoredEntry EntryWeigher::of(const RankedEntry& entry, const EntryColumns& columns) const {
  std::optional<Instant> at;
  if (columns.at != std::numeric_limits<std::int64_t>::min()) at = Instant(std::chrono::milliseconds(columns.at));
  const double recency = recency_of(at, now_, half_life_days_, floor_);
  const double trust = trust_of(columns.source);
  return {&entry, entry.relevance * recency * trust, recency, trust, columns.at, columns.thread};
}

bool comes_before(const ScoredEntry& a, const ScoredEntry& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.at > b.at;
}

void BestEntries::add(const ScoredEntry& candidate) {
  if (candidate.score < floor_) return;
  candidates_.push_back(candidate);
  if (candidates_.size() >= full_) drop_the_rest();
}

// Keeps the first `count_` and those that are as good as the last of them.
void BestEntries::drop_the_rest() {
  if (candidates_.size() <= count_ || count_ == 0) return;
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
  std::ranges::nth_element(candidates_, last, comes_before);
  const ScoredEntry border = *last;
  const auto tied = std::partition(last + 1, candidates_.end(), [&](const ScoredEntry& c) { return is_tied(c, border); });
  candidates_.erase(std::min(tied, last + 1 + ties_looked_at), candidates_.end());
  floor_ = border.score;
  full_ = 2 * candidates_.size();
}

std::vector<ScoredEntry> BestEntries::take(IndexReader& reader) {
  drop_the_rest();
  std::ranges::sort(candidates_, comes_before);
  order_ties(reader, candidates_);
  if (candidates_.size() > count_) candidates_.resize(count_);
  return std::move(candidates_);
}

}  // namespace loci
