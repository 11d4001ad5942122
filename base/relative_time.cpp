#include "base/relative_time.h"

#include <algorithm>
#include <string>

#include "base/unicode.h"

namespace loci {
namespace {

using namespace std::chrono;

constexpr int most_units = 100'000;

struct Span {
  Instant begin, end;
};

Span day_at(Instant instant) {
  const auto day = floor<days>(instant);
  return {day, day + days(1)};
}

std::optional<Instant> months_before(Instant now, int count) {
  const year_month_day today(floor<days>(now));
  year_month_day then = today - months(count);
  if (!then.ok()) then = then.year() / then.month() / last;  // the 31st of a shorter month
  return then.ok() ? std::optional<Instant>(sys_days(then)) : std::nullopt;
}

// `unit` as "d", "day" or "days".
std::optional<Span> back(Instant now, int count, std::string_view unit) {
  const auto is = [&](std::string_view name) {
    return unit == name.substr(0, 1) || unit == name || unit == std::string(name) + "s";
  };
  if (is("hour")) return Span{now - hours(count), now - hours(count) + milliseconds(1)};
  if (is("day")) return day_at(now - days(count));
  if (is("week")) return day_at(now - days(7 * count));
  const int in_months = is("month") ? count : is("year") ? 12 * count : -1;
  if (in_months < 0) return std::nullopt;
  const auto then = months_before(now, in_months);
  return then ? std::optional(day_at(*then)) : std::nullopt;
}

// Takes the number or the article in front off.
std::optional<int> take_count(std::string_view& text) {
  for (const std::string_view one : {"a ", "an ", "one ", "last "})
    if (text.starts_with(one)) {
      text.remove_prefix(one.size());
      return 1;
    }
  int count = 0;
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  for (const char c : text.substr(0, digits)) count = std::min(count * 10 + (c - '0'), most_units + 1);
  if (digits == 0 || count > most_units) return std::nullopt;
  text.remove_prefix(digits);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return count;
}

std::optional<Span> relative_span(std::string_view typed, Instant now) {
  const std::string folded = fold(typed);
  if (folded == "now") return Span{now, now + milliseconds(1)};
  if (folded == "today") return day_at(now);
  if (folded == "yesterday") return day_at(now - days(1));
  std::string_view text = folded;
  const auto count = take_count(text);
  if (!count) return std::nullopt;
  if (text.ends_with(" ago")) text.remove_suffix(4);
  return back(now, *count, text);
}

}  // namespace

std::optional<Instant> parse_date(std::string_view text, Instant now) {
  if (const auto given = parse_time(text)) return given;
  const auto span = relative_span(text, now);
  return span ? std::optional(span->begin) : std::nullopt;
}

std::optional<Instant> parse_date_end(std::string_view text, Instant now) {
  if (const auto given = parse_time_end(text)) return given;
  const auto span = relative_span(text, now);
  return span ? std::optional(span->end) : std::nullopt;
}

}  // namespace loci
