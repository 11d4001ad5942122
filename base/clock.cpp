#include "base/clock.h"

#include <charconv>
#include <cstdio>
#include <ctime>

namespace loci {
namespace {

using namespace std::chrono;

class SystemClock final : public Clock {
 public:
  Instant now() const override { return floor<milliseconds>(std::chrono::system_clock::now()); }

  Instant of_files() const override {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &time);  // what file systems take
    return floor<milliseconds>(sys_time<nanoseconds>(seconds(time.tv_sec) + nanoseconds(time.tv_nsec)));
  }

  std::string local_date(Instant instant) const override {
    // Not through system_clock, whose nanoseconds end in 2262.
    const std::time_t seconds = floor<std::chrono::seconds>(instant).time_since_epoch().count();
    std::tm local{};
    localtime_r(&seconds, &local);
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%04d-%02d-%02d", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
    return {text, static_cast<size_t>(size)};
  }
};

// Reads exactly `digits` digits at the front of `text` and takes them off.
std::optional<int> take_number(std::string_view& text, size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// The milliseconds of ".5", ".120", ".123456789"; digits after the third are dropped.
std::optional<milliseconds> take_fraction(std::string_view& text) {
  int value = 0;
  size_t digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits)
    if (digits < 3) value = value * 10 + (text.front() - '0');
  if (digits == 0) return std::nullopt;
  for (; digits < 3; ++digits) value *= 10;
  return milliseconds(value);
}

std::optional<minutes> take_offset(std::string_view& text) {
  if (take(text, 'Z') || take(text, 'z')) return minutes(0);
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  return minutes(sign * (*hour * 60 + *minute));
}

std::optional<Instant> take_time_of_day(std::string_view& text, sys_days date) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  int second = 0;
  milliseconds fraction{0};
  if (take(text, ':')) {
    const auto value = take_number(text, 2);
    if (!value || *value > 60) return std::nullopt;
    second = *value;
    if (take(text, '.')) {
      const auto part = take_fraction(text);
      if (!part) return std::nullopt;
      fraction = *part;
    }
  }
  const auto offset = take_offset(text);
  if (!offset) return std::nullopt;
  return Instant(date + hours(*hour) + minutes(*minute) + seconds(second) - *offset + fraction);
}

struct Span {
  Instant begin, end;
};

std::optional<Span> parse_span(std::string_view text) {
  const auto number = take_number(text, 4);
  if (!number) return std::nullopt;
  const year y(*number);
  if (text.empty()) return Span{sys_days(y / 1 / 1), sys_days((y + years(1)) / 1 / 1)};
  if (!take(text, '-')) return std::nullopt;
  const auto month_number = take_number(text, 2);
  if (!month_number || *month_number < 1 || *month_number > 12) return std::nullopt;
  const year_month ym = y / month(static_cast<unsigned>(*month_number));
  if (text.empty()) return Span{sys_days(ym / 1), sys_days((ym + months(1)) / 1)};
  if (!take(text, '-')) return std::nullopt;
  const auto day_number = take_number(text, 2);
  if (!day_number) return std::nullopt;
  const year_month_day ymd = ym / day(static_cast<unsigned>(*day_number));
  if (!ymd.ok()) return std::nullopt;
  if (text.empty()) return Span{sys_days(ymd), sys_days(ymd) + days(1)};
  if (!take(text, 'T') && !take(text, 't') && !take(text, ' ')) return std::nullopt;
  const auto instant = take_time_of_day(text, sys_days(ymd));
  if (!instant || !text.empty()) return std::nullopt;
  return Span{*instant, *instant + milliseconds(1)};
}

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::string format_rfc3339(Instant instant) {
  const auto date = floor<days>(instant);
  const year_month_day ymd(date);
  const hh_mm_ss time(instant - date);
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(ymd.year()),
                                 static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                                 static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                                 static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return {text, static_cast<size_t>(size)};
}

std::optional<Instant> parse_time(std::string_view text) {
  const auto span = parse_span(text);
  return span ? std::optional(span->begin) : std::nullopt;
}

std::optional<Instant> parse_time_end(std::string_view text) {
  const auto span = parse_span(text);
  return span ? std::optional(span->end) : std::nullopt;
}

std::string utc_date(Instant instant) { return format_rfc3339(instant).substr(0, 10); }

}  // namespace loci
