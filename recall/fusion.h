// What words find and what vectors find, as one order. What stands in one of them only is not dropped. Pure.
//
//   score = (w + 1/5 × v) / (1 + 1/5)
//   w: the score by words as a share of the best one's
//   v: n + 1/2 × (n of the turn before + n of the one after), as a share of the greatest
//   n: how far the similarity is between that of the hundredth text (0) and that of the first (1)
//
// The neighbours lend because an answer need not be near the question that it follows: "In March, with her sister" is near nothing.
// Of conversations v is another: thread_nearness.h.
//
// Places alone (reciprocal rank fusion: Cormack, Clarke, Büttcher 2009) do not say whether the first is far in front of the second
// or beside it; with a small model, whose order of long answers is far worse than that of words, that is what matters:
// docs/design.md.
#pragma once

#include <cstddef>

namespace loci {

// So many of either ranking take part.
inline constexpr size_t most_fused = 100;

// Where similarities stand among those that take part. Of fewer than there is room for, 0 is that of texts that have nothing in
// common.
class Nearness {
 public:
  Nearness() = default;
  Nearness(double first, double last, size_t count);
  double of(double similarity) const;  // 0..1

 private:
  double first_ = 1, last_ = 0;
};

// What a neighbour in a conversation gets of an entry's nearness.
double lent_by_neighbour(double nearness);

// Each in 0..1; 0 for what is in one ranking only. 1 is the first of both.
double fused_score(double by_words, double by_vector);
// The part of it that the vectors gave.
double fused_part_of_vector(double by_vector);

}  // namespace loci
