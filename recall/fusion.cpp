#include "recall/fusion.h"

#include <algorithm>

namespace loci {
namespace {

// From a twelfth to a third it is as good.
constexpr double weight_of_vectors = 0.2;
constexpr double share_lent = 0.5;  // to each of the two neighbours

}  // namespace

Nearness::Nearness(double first, double last, size_t count)
    : first_(first), last_(count < most_fused ? std::min(0.0, last) : last) {}

double Nearness::of(double similarity) const {
  return first_ > last_ ? std::clamp((similarity - last_) / (first_ - last_), 0.0, 1.0) : 1;
}

double lent_by_neighbour(double nearness) { return share_lent * nearness; }

double fused_part_of_vector(double by_vector) { return weight_of_vectors * by_vector / (1 + weight_of_vectors); }

double fused_score(double by_words, double by_vector) {
  return by_words / (1 + weight_of_vectors) + fused_part_of_vector(by_vector);
}

}  // namespace loci
