#include "recall/confidence.h"

#include <algorithm>
#include <cmath>

namespace loci {
namespace {

constexpr double least_strength = 0.345;

}  // namespace

bool is_confident(const RelevanceParts& parts) {
  if (parts.bound <= 0) return false;
  const double relevance = std::min(1.0, parts.total() / parts.bound);
  return parts.has_all || relevance * std::pow(parts.words, 0.25) >= least_strength;
}

}  // namespace loci
