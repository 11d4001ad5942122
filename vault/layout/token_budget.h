// What may be spent a day on the model that consolidation and capturing ask ([models.NAME] max_tokens_a_day), and what it costs.
#pragma once

#include <cstdint>
#include <optional>

#include "vault/layout/config.h"

namespace loci {

// 0: no limit, or no model.
inline std::int64_t tokens_a_day(const Config& config) {
  const auto named = config.models.find(config.consolidation.model);
  return named == config.models.end() ? 0 : named->second.max_tokens_a_day;
}

// What so many tokens cost; none where [models.NAME] price_per_million does not say.
inline std::optional<double> price_of(const Config& config, std::int64_t input, std::int64_t output) {
  const auto named = config.models.find(config.consolidation.model);
  if (named == config.models.end() || named->second.price_per_million.size() != 2) return std::nullopt;
  const auto& price = named->second.price_per_million;
  return (static_cast<double>(input) * price[0] + static_cast<double>(output) * price[1]) / 1e6;
}

}  // namespace loci
