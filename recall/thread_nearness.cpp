#include "recall/thread_nearness.h"

#include <algorithm>
#include <vector>

namespace loci {
namespace {

constexpr size_t entries_of_mean = 3;

struct Range {
  double median = 0, most = 0;
};

// Of two conversations the median is the farther one, so that they differ.
Range range_of(const std::unordered_map<ThreadId, double>& means) {
  std::vector<double> all;
  for (const auto& [thread, mean] : means) all.push_back(mean);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::ranges::nth_element(all, middle);
  return {*middle, std::ranges::max(all)};
}

}  // namespace

void ThreadNearness::add(ThreadId thread, double similarity) {
  last_ = similarity;
  if (thread == 0) return;
  Nearest& nearest = nearest_[thread];
  if (nearest.count == entries_of_mean) return;
  nearest.sum += similarity;
  ++nearest.count;
}

std::unordered_map<ThreadId, double> ThreadNearness::means() const {
  std::unordered_map<ThreadId, double> means;
  for (const auto& [thread, nearest] : nearest_)
    means[thread] = (nearest.sum + last_ * static_cast<double>(entries_of_mean - nearest.count)) / double{entries_of_mean};
  return means;
}

std::unordered_map<ThreadId, double> ThreadNearness::of_threads() const {
  auto nearness = means();
  if (nearness.empty()) return nearness;
  const auto [median, most] = range_of(nearness);
  for (auto& [thread, near] : nearness) near = most > median ? std::clamp((near - median) / (most - median), 0.0, 1.0) : 1;
  return nearness;
}

}  // namespace loci
