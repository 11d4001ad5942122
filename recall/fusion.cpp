#include "recall/fusion.h"

namespace loci {
namespace {

// The paper has 60 and equal weights, for rankings of equal worth. The vectors of a small model alone rank long answers far worse
// than words do: they order what words find, and find what has no word, and no more of them took right answers from the first five.
constexpr double softness = 10, weight_of_vectors = 0.2;

double part(std::optional<size_t> place) { return place ? (softness + 1) / (softness + 1 + static_cast<double>(*place)) : 0; }

}  // namespace

double fused_part_of_vector(std::optional<size_t> by_vector) {
  return weight_of_vectors * part(by_vector) / (1 + weight_of_vectors);
}

double fused_score(std::optional<size_t> by_words, std::optional<size_t> by_vector) {
  return part(by_words) / (1 + weight_of_vectors) + fused_part_of_vector(by_vector);
}

}  // namespace loci
