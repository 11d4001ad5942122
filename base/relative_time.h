// Days as people name them: what base/clock reads, and their distance from now. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace loci {

// As parse_time, and "today", "yesterday", "7d", "2w", "3 months ago", "a week ago", "last month": the first moment in UTC of the
// day so far back. "12h", "3 hours ago": that moment.
std::optional<Instant> parse_date(std::string_view text, Instant now);

// The same, but the first moment after it.
std::optional<Instant> parse_date_end(std::string_view text, Instant now);

// For messages about what can be none of them.
inline constexpr std::string_view date_examples = "2026, 2026-11, 2026-11-21, yesterday, 7d or \"2 weeks ago\"";

}  // namespace loci
