#include "importers/times.h"

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>

namespace loci::importers {
namespace {

constexpr Instant first_of_1970{};
constexpr Instant first_of_year_1 = std::chrono::sys_days(std::chrono::year(1) / 1 / 1);
constexpr size_t digits_of_a_year = 4;

// From 1973 to 5138 the four units have numbers of different sizes.
std::optional<Instant> time_since_1970(double number) {
  struct Unit {
    double largest, in_milliseconds;
  };
  for (const auto& [largest, in_milliseconds] : std::array{Unit{1e11, 1e3}, Unit{1e14, 1}, Unit{1e17, 1e-3}, Unit{1e20, 1e-6}})
    if (number > 0 && number < largest) return Instant(std::chrono::milliseconds(std::llround(number * in_milliseconds)));
  return std::nullopt;
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<Instant> checked(std::optional<Instant> time, std::string_view written, Records& records) {
  if (time && *time <= records.latest()) return time;
  records.skip(time ? "a time that has not come yet, of a record that is taken in without it"
                    : "what is no time, of a record that is taken in without it",
               written);
  return std::nullopt;
}

}  // namespace

std::optional<Instant> time_in(std::string_view text) {
  if (text.size() > digits_of_a_year)
    if (const auto number = number_in(text)) return time_since_1970(*number);
  auto time = parse_time(text);
  if (!time) time = parse_time(std::string(text) + 'Z');
  return time == first_of_1970 || time == first_of_year_1 ? std::nullopt : time;
}

std::optional<Instant> time_in(const Json& value) {
  if (const std::string* text = value.as_string()) return time_in(std::string_view(*text));
  return value.is_number() ? time_since_1970(value.number_or(0)) : std::nullopt;
}

std::optional<Instant> time_of(std::string_view text, Records& records) {
  return text.empty() ? std::nullopt : checked(time_in(text), text, records);
}

std::optional<Instant> time_at(const Json& json, std::string_view key, Records& records) {
  const Json* value = json.find(key);
  if (!value || value->is_null()) return std::nullopt;
  if (const std::string* text = value->as_string()) return time_of(*text, records);
  return checked(time_in(*value), to_string(*value), records);
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
