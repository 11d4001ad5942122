#include "words/statement.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "words/calendar_words.h"

namespace loci {
namespace {

using Kind = Value::Kind;
using std::chrono::days;
using std::chrono::sys_days;

std::string_view month_of(const Value& value) {  // "11"
  switch (value.kind) {
    case Kind::day:
      return std::string_view(value.key).substr(5, 2);
    case Kind::year_month:
      return std::string_view(value.key).substr(5, 2);
    case Kind::month_day:
      return std::string_view(value.key).substr(0, 2);
    default:
      return {};
  }
}

bool is_month(const Value& month, std::string_view digits) {
  return !digits.empty() && std::atoi(month.key.c_str()) == std::atoi(std::string(digits).c_str());
}

std::string weekday_of(std::string_view date) {
  const auto day = day_in(date);
  return day ? std::to_string(std::chrono::weekday(*day).iso_encoding()) : std::string();
}

std::string_view year_of(const Value& value) {
  return value.kind == Kind::day || value.kind == Kind::year_month || value.kind == Kind::year
             ? std::string_view(value.key).substr(0, 4)
             : std::string_view();
}

bool is_same_number(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const auto without_points = [](std::string_view number) {
    std::string digits(number);
    if (const size_t point = digits.find('.'); point != std::string::npos && digits.size() == point + 4) std::erase(digits, '.');
    return digits;
  };
  return without_points(one) == without_points(other);
}

// "10" and "10:00".
bool is_hour(const Value& number, const Value& time) {
  return number.unit.empty() || number.unit == "h" ? time.key == number.key + ":00" : false;
}

double days_in(std::string_view unit) { return unit == "day" ? 1 : unit == "week" ? 7 : 0; }

bool is_same_span(const Value& one, const Value& other) {
  const double first = days_in(one.unit), second = days_in(other.unit);
  if (first > 0 && second > 0) return std::atof(one.key.c_str()) * first == std::atof(other.key.c_str()) * second;
  const auto in_months = [](const Value& span) {
    return std::atof(span.key.c_str()) * (span.unit == "year" ? 12 : span.unit == "month" ? 1 : 0);
  };
  return in_months(one) > 0 && in_months(one) == in_months(other);
}

// A unit said once serves its kind: a number without one may have any.
bool is_same_quantity(const Value& one, const Value& other) {
  if (!one.unit.empty() && !other.unit.empty() && one.unit != other.unit) return is_same_span(one, other);
  return is_same_number(one.key, other.key);
}

// Do two values mean the same by themselves?
bool is_equal(const Value& one, const Value& other) {
  if (one.kind == Kind::number && other.kind == Kind::number) return is_same_quantity(one, other);
  if (one.kind == Kind::number && other.kind == Kind::time) return is_hour(one, other);
  if (one.kind == Kind::time && other.kind == Kind::number) return is_hour(other, one);
  if (one.kind == Kind::number && other.kind == Kind::year) return one.key == other.key;
  if (one.kind == Kind::year && other.kind == Kind::number) return one.key == other.key;
  if (one.kind == Kind::month && other.kind == Kind::month) return is_month(one, other.key);
  return one.kind == other.kind && one.key == other.key;
}

// Is `part` said by `whole`: the month, the year or the weekday of a date?
bool is_part_of(const Value& part, const Value& whole) {
  switch (part.kind) {
    case Kind::month:
      return is_month(part, month_of(whole));
    case Kind::year:
      return part.key == year_of(whole);
    case Kind::weekday:
      return whole.kind == Kind::day && weekday_of(whole.key) == part.key;
    case Kind::month_day:
      return whole.kind == Kind::day && std::string_view(whole.key).substr(5) == part.key;
    case Kind::year_month:
      return whole.kind == Kind::day && std::string_view(whole.key).substr(0, 7) == part.key;
    default:
      return false;
  }
}

// All digits of a text's numbers that stand side by side: a phone number is one number, however it is grouped.
std::vector<std::string> digit_rows(const Statement& text) {
  std::vector<std::string> rows;
  size_t last = 0;
  for (size_t i = 0; i < text.words.size(); ++i) {
    std::string characters;
    for (const char c : text.words[i].folded)
      if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) characters += c;
    if (characters.find_first_of("0123456789") == std::string::npos) continue;
    const std::string& gap = text.words[i].before;
    const bool goes_on = !rows.empty() && last + 1 == i && gap.size() <= 3 && gap.find_first_not_of(" /-().") == std::string::npos;
    if (goes_on) {
      rows.back() += characters;
    } else {
      rows.push_back(characters);
    }
    last = i;
  }
  return rows;
}

constexpr size_t shortest_row = 5;

// Is every digit of a row of this text in one row of the other?
bool is_regrouped(const Statement& text, const Value& value, const Statement& other) {
  if ((value.kind != Kind::number && value.kind != Kind::address) || !value.unit.empty()) return false;
  const auto theirs = digit_rows(other);
  return std::ranges::any_of(digit_rows(text), [&](const std::string& row) {
    return row.size() >= shortest_row && std::ranges::find(theirs, row) != theirs.end() && row.contains(value.key);
  });
}

// What is known of days: said, meant and written.
class KnownDays {
 public:
  explicit KnownDays(std::span<const Said> said) {
    for (const Said& one : said) {
      for (const std::string& date : one.days)
        if (const auto day = day_in(date)) add(*day, one);
      for (const Value& value : one.statement->values)
        if (value.kind == Kind::day)
          if (const auto day = day_in(value.key)) ranges_.push_back({*day, *day});
    }
  }

  bool has(const Value& value) const {
    switch (value.kind) {
      case Kind::day: {
        const auto day = day_in(value.key);
        return day && std::ranges::any_of(ranges_, [&](const DayRange& range) { return range.from <= *day && *day <= range.to; });
      }
      case Kind::year_month:
      case Kind::year:
        return std::ranges::any_of(ranges_, [&](const DayRange& range) {
          const std::string from = date_of(range.from), to = date_of(range.to);
          return from.starts_with(value.key) || to.starts_with(value.key);
        });
      case Kind::month_day:
      case Kind::month:
      case Kind::weekday:
        return std::ranges::any_of(ranges_, [&](const DayRange& range) {
          return (range.from == range.to || value.kind == Kind::month) &&
                 is_part_of(value, {Kind::day, date_of(range.from), {}, 0, false, {}});
        });
      default:
        return false;
    }
  }

 private:
  void add(sys_days said, const Said& one) {
    ranges_.push_back({said, said});
    const Statement& statement = *one.statement;
    std::ranges::move(days_meant(statement.words, statement.values, said), std::back_inserter(ranges_));
    for (const Value& value : statement.values) near_dates(value, said);
    if (std::ranges::any_of(statement.words, [](const WrittenWord& word) { return is_season(word.folded); })) near_years(said);
  }

  // "In December" is the one before or the one to come; so is a day without its year.
  void near_dates(const Value& value, sys_days said) {
    if (value.kind != Kind::month && value.kind != Kind::month_day) return;
    const int year = int(std::chrono::year_month_day(said).year());
    for (int by = -1; by <= 1; ++by) {
      std::string month = value.kind == Kind::month ? value.key : value.key.substr(0, 2);
      if (month.size() == 1) month = "0" + month;
      const std::string date = std::to_string(year + by) + "-" + (value.kind == Kind::month ? month + "-01" : value.key);
      const auto day = day_in(date);
      if (!day) continue;
      if (value.kind == Kind::month_day) {
        ranges_.push_back({*day, *day});
      } else {
        months_.push_back(date.substr(0, 7));
      }
    }
  }

  void near_years(sys_days said) {
    const int year = int(std::chrono::year_month_day(said).year());
    for (int by = -1; by <= 1; ++by) months_.push_back(std::to_string(year + by));
  }

 public:
  // Of a month or a year that is only known as such.
  bool has_month(const Value& value) const {
    if (value.kind != Kind::year_month && value.kind != Kind::year) return false;
    return std::ranges::any_of(months_, [&](const std::string& month) { return month.starts_with(value.key); });
  }

 private:
  std::vector<DayRange> ranges_;
  std::vector<std::string> months_;
};

}  // namespace

Statement read_statement(std::string_view text) {
  Statement statement;
  statement.words = written_words(text);
  statement.language = language_of(statement.words);
  statement.values = values_of(statement.words, statement.language);
  statement.names = names_of(statement.words, statement.language);
  statement.negation = negation_in(statement.words, statement.language);
  statement.hedges = hedges_in(statement.words, statement.language);
  statement.named_wrong = named_as_wrong(statement.words, statement.language);
  return statement;
}

bool is_one_language(const Statement& one, const Statement& other) {
  return one.language.empty() || other.language.empty() || one.language == other.language;
}

std::vector<std::string> values_from_nowhere(const Statement& text, std::span<const Said> said) {
  const KnownDays known(said);
  std::vector<std::string> found;
  for (const Value& value : text.values) {
    if (value.is_weak || known.has(value) || known.has_month(value)) continue;
    const bool is_said = std::ranges::any_of(said, [&](const Said& one) {
      return std::ranges::any_of(one.statement->values,
                                 [&](const Value& other) { return is_equal(value, other) || is_part_of(value, other); }) ||
             is_regrouped(text, value, *one.statement) || std::ranges::find(one.more_words, value.key) != one.more_words.end();
    });
    if (!is_said) found.push_back(value.written);
  }
  return found;
}

std::vector<std::string> names_from_nowhere(const Statement& text, std::span<const Said> said) {
  std::vector<std::string> found;
  if (std::ranges::none_of(said, [&](const Said& one) { return is_one_language(text, *one.statement); })) return found;
  for (const Name& name : text.names) {
    if (name.opens) continue;
    const bool is_said = std::ranges::any_of(said, [&](const Said& one) {
      return has_name(one.statement->words, name.folded) ||
             std::ranges::any_of(one.more_words, [&](const std::string& word) { return word.contains(name.folded); });
    });
    if (!is_said) found.push_back(name.written);
  }
  return found;
}

std::vector<size_t> values_missing(const Said& said, const Statement& text) {
  const Statement& from = *said.statement;
  std::vector<sys_days> bases;
  for (const std::string& date : said.days)
    if (const auto day = day_in(date)) bases.push_back(*day);
  for (const Value& value : from.values)
    if (value.kind == Kind::day)
      if (const auto day = day_in(value.key)) bases.push_back(*day);
  std::vector<size_t> missing;
  for (size_t i = 0; i < from.values.size(); ++i) {
    const Value& value = from.values[i];
    if (value.is_weak) continue;
    const std::vector<DayRange> ends = days_of_span(value, bases);
    const auto says = [&](const Value& other) {
      if (is_equal(value, other) || is_part_of(value, other)) return true;
      if (value.kind == Kind::day && other.kind == Kind::month_day) return is_part_of(other, value);
      return std::ranges::any_of(ends, [&](const DayRange& end) {
        const std::string date = date_of(end.from);
        if (other.kind == Kind::day) return other.key == date;
        return (other.kind == Kind::year && value.unit == "year") || (other.kind == Kind::year_month && value.unit == "month")
                   ? date.starts_with(other.key)
                   : false;
      });
    };
    if (std::ranges::none_of(text.values, says) && !is_regrouped(from, value, text)) missing.push_back(i);
  }
  return missing;
}

std::vector<size_t> names_missing(const Said& said, const Statement& text) {
  std::vector<size_t> missing;
  if (!is_one_language(*said.statement, text)) return missing;
  for (size_t i = 0; i < said.statement->names.size(); ++i)
    if (!has_name(text.words, said.statement->names[i].folded)) missing.push_back(i);
  return missing;
}

}  // namespace loci
