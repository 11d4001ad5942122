// Two rankings as one: reciprocal rank fusion (Cormack, Clarke, Büttcher 2009). What stands in one of them only is not dropped.
// Pure.
#pragma once

#include <cstddef>
#include <optional>

namespace loci {

// So many of either ranking take part.
inline constexpr size_t most_fused = 100;

// Of one thing with its places (from 0) in the ranking by words and in the one by vectors, in 0..1: 1 is the first of both.
double fused_score(std::optional<size_t> by_words, std::optional<size_t> by_vector);
// The part of it that the vectors gave.
double fused_part_of_vector(std::optional<size_t> by_vector);

}  // namespace loci
