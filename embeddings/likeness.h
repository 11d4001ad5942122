// How alike one vector is to very many. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loci {

// A vector in whole numbers: each number is one of them times the scale.
struct ScaledVector {
  std::vector<std::int16_t> numbers;
  float scale = 0;
};
ScaledVector scaled(std::span<const float> vector, int largest);

// Sum of products. At most 8,192 numbers, those of `query` at most 1,023: no sum overflows.
std::int32_t product(const std::int8_t* vector, const std::int16_t* query, size_t count);

inline constexpr int largest_stored = 127, largest_asked = 1'023;

}  // namespace loci
