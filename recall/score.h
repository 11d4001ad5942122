// What an entry's age and origin make of its relevance. Pure.
#pragma once

#include <optional>

#include "base/clock.h"
#include "parser/metadata.h"

namespace loci {

// floor + (1 - floor) × 2^(-max(0, age) / half_life), in floor..1. Without a date the age is one half-life.
double recency_of(std::optional<Instant> at, Instant now, double half_life_days, double floor);

// 1.0, 0.97, 0.94, 0.90 for correction, user, agent, system: orders near-ties and nothing more.
double trust_of(Source source);

}  // namespace loci
