// The tokens that may be spent a day on the model that consolidation and capturing ask ([models.NAME] max_tokens_a_day).
#pragma once

#include <cstdint>

#include "vault/layout/config.h"

namespace loci {

// 0: no limit, or no model.
inline std::int64_t tokens_a_day(const Config& config) {
  const auto named = config.models.find(config.consolidation.model);
  return named == config.models.end() ? 0 : named->second.max_tokens_a_day;
}

}  // namespace loci
