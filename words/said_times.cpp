#include "words/said_times.h"

#include <algorithm>
#include <cstdlib>

#include "base/clock.h"
#include "words/calendar_words.h"

namespace loci {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month_day;
using std::chrono::years;

// The same day of another month, or its last day.
sys_days moved(sys_days day, int by_months) {
  const year_month_day from{day};
  const auto month = from.year() / from.month() + months(by_months);
  const year_month_day to = month / from.day();
  return to.ok() ? sys_days(to) : sys_days(month / std::chrono::last);
}

sys_days monday_of(sys_days day) { return day - (std::chrono::weekday(day) - std::chrono::Monday); }

DayRange month_of(sys_days day) {
  const year_month_day at{day};
  return {sys_days(at.year() / at.month() / 1), sys_days(at.year() / at.month() / std::chrono::last)};
}

DayRange year_of(sys_days day) {
  const auto year = year_month_day(day).year();
  return {sys_days(year / 1 / 1), sys_days(year / 12 / 31)};
}

DayRange span_of(Span span, sys_days said, int by) {
  switch (span) {
    case Span::day:
      return {said + days(by), said + days(by)};
    case Span::week:
      return {monday_of(said) + days(7 * by), monday_of(said) + days(7 * by + 6)};
    case Span::weekend:
      return {monday_of(said) + days(7 * by + 5), monday_of(said) + days(7 * by + 6)};
    case Span::month:
      return month_of(moved(month_of(said).from, by));
    case Span::year:
      return year_of(moved(year_of(said).from, 12 * by));
  }
  return {said, said};
}

class Meaning {
 public:
  Meaning(const std::vector<WrittenWord>& words, sys_days said) : words_(words), said_(said) {}

  std::vector<DayRange> ranges() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      named_day();
      directed_span();
      end_of_span();
      in_chinese();
    }
    return std::move(ranges_);
  }

 private:
  std::string_view folded(size_t index) const { return index < words_.size() ? std::string_view(words_[index].folded) : ""; }

  void add(sys_days day) { ranges_.push_back({day, day}); }

  void named_day() {
    const auto by = day_named(folded(at_));
    if (!by) return;
    const bool is_further = at_ >= 2 && (folded(at_ - 1) == "after" || folded(at_ - 1) == "before") && folded(at_ - 2) == "day";
    const bool is_second = at_ >= 1 && (folded(at_ - 1) == "apres" || folded(at_ - 1) == "avant" || folded(at_ - 1) == "pasado");
    add(said_ + days((is_further || is_second) && *by != 0 ? 2 * *by : *by));
  }

  // "last week", "la semana pasada", "this weekend"; "the week" is this one.
  void directed_span() {
    const auto span = span_named(folded(at_));
    if (!span) return;
    std::optional<int> by = at_ > 0 ? direction_named(folded(at_ - 1)) : std::nullopt;
    if (!by) by = direction_named(folded(at_ + 1));
    if (*span == Span::day && folded(at_) == "night" && by == -1) return ranges_.push_back({said_ - days(1), said_});
    if (*span == Span::day && !by) return;
    if (*span == Span::weekend && !by) ranges_.push_back(span_of(*span, said_, 1));
    ranges_.push_back(span_of(*span, said_, by.value_or(0)));
    if (by == 1 && *span == Span::week) add(said_ + days(7));
  }

  // "the end of the year", "Jahresende".
  void end_of_span() {
    if (!is_end_word(folded(at_))) return;
    if (folded(at_) == "jahresende") add(year_of(said_).to);
    for (size_t i = at_ + 1; i < words_.size() && i <= at_ + 4; ++i)
      if (const auto span = span_named(folded(i))) {
        const int by = direction_named(folded(i - 1)).value_or(0);
        const DayRange whole = span_of(*span, said_, by);
        add(whole.from);
        add(whole.to);
      }
  }

  void in_chinese() {
    if (!words_[at_].is_cjk) return;
    constexpr std::pair<std::string_view, int> named_days[] = {{"昨天", -1}, {"今天", 0}, {"明天", 1}, {"后天", 2}, {"前天", -2}};
    for (const auto& [name, by] : named_days)
      if (folded(at_).contains(name)) add(said_ + days(by));
    constexpr std::pair<std::string_view, int> years_named[] = {{"去年", -1}, {"今年", 0}, {"明年", 1}};
    for (const auto& [name, by] : years_named)
      if (folded(at_).contains(name)) ranges_.push_back(span_of(Span::year, said_, by));
    constexpr std::pair<std::string_view, int> directions[] = {{"上", -1}, {"这", 0}, {"本", 0}, {"下", 1}};
    for (const auto& [name, by] : directions) {
      for (const std::string_view week : {"周", "个星期", "星期"})
        if (folded(at_).contains(std::string(name) + std::string(week))) ranges_.push_back(span_of(Span::week, said_, by));
      if (folded(at_).contains(std::string(name) + "个月")) ranges_.push_back(span_of(Span::month, said_, by));
    }
  }

  const std::vector<WrittenWord>& words_;
  const sys_days said_;
  std::vector<DayRange> ranges_;
  size_t at_ = 0;
};

}  // namespace

std::optional<sys_days> day_in(std::string_view date) {
  const auto instant = parse_time(date);
  return instant ? std::optional(std::chrono::floor<days>(*instant)) : std::nullopt;
}

std::string date_of(sys_days day) { return utc_date(Instant(day)); }

std::vector<DayRange> days_of_span(const Value& span, const std::vector<sys_days>& bases) {
  std::vector<DayRange> ranges;
  const int count = std::atoi(span.key.c_str());
  if (span.kind != Value::Kind::number || count <= 0 || count > 1'000) return ranges;
  for (const sys_days base : bases)
    for (const int sign : {-1, 1}) {
      const int by = sign * count;
      if (span.unit == "day" || span.unit == "week") {
        const sys_days day = base + days(span.unit == "week" ? 7 * by : by);
        ranges.push_back({day, day});
      } else if (span.unit == "month" || span.unit == "year") {
        const sys_days day = moved(base, span.unit == "year" ? 12 * by : by);
        ranges.push_back({day, day});
      }
    }
  return ranges;
}

std::vector<DayRange> days_meant(const std::vector<WrittenWord>& words, const std::vector<Value>& values, sys_days said) {
  std::vector<DayRange> ranges = Meaning(words, said).ranges();
  std::vector<sys_days> bases = {said};
  for (const Value& value : values)
    if (value.kind == Value::Kind::day)
      if (const auto day = day_in(value.key)) bases.push_back(*day);
  for (const DayRange& range : ranges)
    if (range.from == range.to) bases.push_back(range.from);
  for (const Value& value : values) {
    Value span = value;
    if (value.is_weak && value.word + 1 < words.size() && value.key == "1") {  // "a week"
      const auto named = span_named(words[value.word + 1].folded);
      if (named == Span::day || named == Span::week) span.unit = *named == Span::day ? "day" : "week";
      if (named == Span::month || named == Span::year) span.unit = *named == Span::month ? "month" : "year";
    }
    std::ranges::move(days_of_span(span, bases), std::back_inserter(ranges));
    if (value.kind == Value::Kind::weekday)
      for (int by = -14; by <= 14; ++by)
        if (const sys_days day = said + days(by);
            std::chrono::weekday(day).iso_encoding() == static_cast<unsigned>(std::atoi(value.key.c_str())))
          ranges.push_back({day, day});
  }
  return ranges;
}

}  // namespace loci
