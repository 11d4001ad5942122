#include "embeddings/likeness.h"

#include <algorithm>
#include <cmath>

namespace loci {
ScaledVector scaled(std::span<const float> vector, int largest) {
  float most = 0;
  for (const float number : vector) most = std::max(most, std::abs(number));
  ScaledVector out;
  out.scale = most / static_cast<float>(largest);
  out.numbers.reserve(vector.size());
  for (const float number : vector)
    out.numbers.push_back(out.scale > 0 ? static_cast<std::int16_t>(std::lround(number / out.scale)) : std::int16_t{0});
  return out;
}

// A plain loop, which the compiler makes vectors of (CMakeLists.txt asks it to).
std::int32_t product(const std::int8_t* vector, const std::int16_t* query, size_t count) {
  std::int32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += std::int32_t{vector[i]} * std::int32_t{query[i]};
  return sum;
}

}  // namespace loci
