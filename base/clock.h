// Time as a value that is passed in: nothing else in loci reads a clock.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace loci {

// Milliseconds since 1970-01-01T00:00:00Z.
using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  // For comparing with the times of files: what is written to one from now on is not older. That is some milliseconds behind now().
  virtual Instant of_files() const { return now(); }
  // The calendar date of an instant where this machine is, "2026-11-21".
  virtual std::string local_date(Instant instant) const = 0;
};

const Clock& system_clock();

// RFC 3339 in UTC with milliseconds: "2026-11-21T20:14:43.120Z".
std::string format_rfc3339(Instant instant);

// Reads an RFC 3339 time ("2026-11-21T20:14:43.5+01:00", also with a blank for the T), a date ("2026-11-21"),
// or a month ("2026-11") or year ("2026"); a part of a date means its first moment in UTC. Nothing else.
std::optional<Instant> parse_time(std::string_view text);

// As parse_time, but the first moment *after* what the text names: the next day for a date, the next month for a month.
std::optional<Instant> parse_time_end(std::string_view text);

// "2026-11-21" in UTC.
std::string utc_date(Instant instant);

}  // namespace loci
