// Times as other programs write them. Pure, but for the time zone of this machine.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"

namespace loci::importers {

// RFC 3339, also without a zone, which then is UTC: what writes such times says so of itself.
std::optional<Instant> time_in(std::string_view text);
// Seconds since 1970, with fractions; none for anything else than a number.
std::optional<Instant> seconds_in(const Json* value);
// "2026-11-18" and "09:12" on the clock of this machine.
std::optional<Instant> local_time(std::string_view date, std::string_view hours_and_minutes);

}  // namespace loci::importers
