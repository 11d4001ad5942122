#include "recall/score.h"

#include <algorithm>
#include <cmath>

namespace loci {

double recency_of(std::optional<Instant> at, Instant now, double half_life_days, double floor) {
  const double least = std::clamp(floor, 0.0, 1.0);
  if (!at) return least + (1 - least) * 0.5;
  const double age_days = std::chrono::duration<double, std::ratio<86400>>(now - *at).count();
  if (age_days <= 0) return 1;
  return half_life_days > 0 ? least + (1 - least) * std::exp2(-age_days / half_life_days) : least;
}

double trust_of(Source source) {
  switch (source) {
    case Source::correction:
      return 1.0;
    case Source::user:
      return 0.97;
    case Source::agent:
      return 0.94;
    case Source::system:
      break;
  }
  return 0.90;
}

}  // namespace loci
