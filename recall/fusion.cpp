#include "recall/fusion.h"

namespace loci {
namespace {

// 60 is the paper's. The vectors of a small model alone rank worse than words do, hence half their weight.
constexpr double softness = 60, weight_of_vectors = 0.5;

double part(std::optional<size_t> place) { return place ? (softness + 1) / (softness + 1 + static_cast<double>(*place)) : 0; }

}  // namespace

double fused_part_of_vector(std::optional<size_t> by_vector) {
  return weight_of_vectors * part(by_vector) / (1 + weight_of_vectors);
}

double fused_score(std::optional<size_t> by_words, std::optional<size_t> by_vector) {
  return part(by_words) / (1 + weight_of_vectors) + fused_part_of_vector(by_vector);
}

}  // namespace loci
