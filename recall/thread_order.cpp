#include "recall/thread_order.h"

#include <algorithm>

namespace loci {

std::vector<ShownThread> order_threads(IndexReader& reader, std::span<const RankedThread> threads,
                                       const std::unordered_map<ThreadId, ScoredEntry>& best, size_t count) {
  std::vector<ShownThread> shown;
  for (const RankedThread& thread : threads)
    if (const auto found = best.find(thread.thread); found != best.end()) {
      const ScoredEntry& first = found->second;
      shown.push_back({thread.thread, thread.relevance * first.recency * first.trust, first});
    }
  const auto in_order = [&](const ShownThread& a, const ShownThread& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.best.at != b.best.at ? a.best.at > b.best.at : reader.session_of(a.thread) < reader.session_of(b.thread);
  };
  count = std::min(count, shown.size());
  std::ranges::partial_sort(shown, shown.begin() + static_cast<std::ptrdiff_t>(count), in_order);
  shown.resize(count);
  return shown;
}

}  // namespace loci
