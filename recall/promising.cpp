#include "recall/promising.h"

#include <algorithm>

namespace loci {
namespace {

bool is_more_promising(const RankedEntry* a, const RankedEntry* b) {
  return a->relevance != b->relevance ? a->relevance > b->relevance : a->row > b->row;
}

}  // namespace

std::vector<RankedEntry*> most_promising(std::span<RankedEntry> entries, size_t count) {
  std::vector<RankedEntry*> found;
  if (count == 0) return found;
  found.reserve(2 * count);
  double least = 0;
  const auto drop_the_rest = [&] {
    if (found.size() <= count) return;
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::ranges::nth_element(found, last, is_more_promising);
    least = (*last)->relevance;
    found.resize(count);
  };
  for (RankedEntry& entry : entries) {
    if (entry.relevance < least) continue;
    found.push_back(&entry);
    if (found.size() == 2 * count) drop_the_rest();
  }
  drop_the_rest();
  std::ranges::sort(found);
  return found;
}

}  // namespace loci
