// What may be spent a day on the model that consolidation and capturing ask ([models.NAME] max_tokens_a_day), and what it costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>

#include "vault/layout/config.h"

namespace loci {

// 0: no limit, or no model.
inline std::int64_t tokens_a_day(const Config& config) {
  const auto named = config.models.find(config.consolidation.model);
  return named == config.models.end() ? 0 : named->second.max_tokens_a_day;
}

// What so many tokens of a model cost; none where [models.NAME] price_per_million does not say. `model`: NAME, or as the record of
// a run has it, "NAME (provider, model)".
inline std::optional<double> price_of(const Config& config, std::string_view model, std::int64_t input, std::int64_t output) {
  const auto models = config.models | std::views::reverse;  // of two names that begin it, the longer one first
  const auto named = std::ranges::find_if(models, [&](const auto& one) {
    return model.starts_with(one.first) && (model.size() == one.first.size() || model.substr(one.first.size()).starts_with(" ("));
  });
  if (named == models.end() || named->second.price_per_million.size() != 2) return std::nullopt;
  const auto& price = named->second.price_per_million;
  return (static_cast<double>(input) * price[0] + static_cast<double>(output) * price[1]) / 1e6;
}

}  // namespace loci
