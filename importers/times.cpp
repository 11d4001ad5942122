#include "importers/times.h"

#include <cmath>
#include <ctime>
#include <string>

namespace loci::importers {

std::optional<Instant> time_in(std::string_view text) {
  if (const auto time = parse_time(text)) return time;
  return parse_time(std::string(text) + 'Z');
}

std::optional<Instant> seconds_in(const Json* value) {
  constexpr double latest = 1e11;  // the year 5138: beyond it they are no seconds
  if (!value || !value->is_number()) return std::nullopt;
  const double seconds = value->number_or(0);
  if (!(seconds > 0 && seconds < latest)) return std::nullopt;
  return Instant(std::chrono::milliseconds(std::llround(seconds * 1000)));
}

std::optional<Instant> local_time(std::string_view date, std::string_view hours_and_minutes) {
  const auto utc = parse_time(std::string(date) + 'T' + std::string(hours_and_minutes) + ":00Z");
  if (!utc) return std::nullopt;
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(utc->time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  parts.tm_isdst = -1;
  const std::time_t local = ::mktime(&parts);
  return local == -1 ? std::nullopt : std::optional(Instant(std::chrono::seconds(local)));
}

}  // namespace loci::importers
