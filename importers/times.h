// Times as other programs write them. Pure, but for the time zone of this machine.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"
#include "importers/record.h"

namespace loci::importers {

// What is written there as a time: RFC 3339, also without a zone, which then is UTC (what writes such times says so of itself), or
// a date alone; or how long after 1970 began, as a number or its digits, in seconds, milli-, micro- or nanoseconds: its size tells
// which. None for anything else, and for what programs write where they know no time: the first moment of 1970 and of the year 1.
std::optional<Instant> time_in(std::string_view text);
std::optional<Instant> time_in(const Json& value);

// Like time_in(), for a record that is taken in with or without it: what is no time, or later than records.latest(), is said by
// records.skip() and counts for nothing, so that the next best one does. Nothing is said of null, nothing or an empty text.
std::optional<Instant> time_of(std::string_view text, Records& records);
std::optional<Instant> time_at(const Json& json, std::string_view key, Records& records);

// "2026-11-18" and "09:12" on the clock of this machine.
std::optional<Instant> local_time(std::string_view date, std::string_view hours_and_minutes);

}  // namespace loci::importers
