#include "words/wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/clock.h"

namespace loci {
namespace {

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

constexpr std::array<std::string_view, 12> month_names = {"january", "february", "march",     "april",   "may",      "june",
                                                          "july",    "august",   "september", "october", "november", "december"};

std::string without_leading_zeros(std::string_view digits) {
  const size_t begin = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return std::string(digits.substr(begin));
}

// The digits that a word begins with, "20" of "20th"; empty if there are none.
std::string leading_number(std::string_view word) {
  const auto end = std::ranges::find_if(word, [](char c) { return c < '0' || c > '9'; });
  const std::string_view digits(word.begin(), end);
  return digits.empty() ? std::string() : without_leading_zeros(digits);
}

std::optional<int> month_of(std::string_view folded) {
  for (size_t i = 0; i < month_names.size(); ++i)
    if (folded == month_names[i] || (folded.size() == 3 && month_names[i].starts_with(folded))) return static_cast<int>(i) + 1;
  return std::nullopt;
}

// What stands beside a number, for it means another thing beside something else.
struct NumberPlace {
  std::string unit;
  bool is_alone = true;  // no other number in its clause: then all of the clause is beside it
  Stems clause;
  std::string before, behind;
};

NumberPlace place_of_number(const TextWords& text, size_t i) {
  const auto& words = text.words;
  NumberPlace place{words[i].unit, true, {}, {}, {}};
  for (size_t other = 0; other < words.size(); ++other) {
    const TextWord& word = words[other];
    if (other == i || word.clause != words[i].clause || word.continues_number || !word.date.empty()) continue;
    if (!word.number.empty()) {
      place.is_alone = false;
      continue;
    }
    place.clause.insert(word.stem);
    if (other < i) place.before = word.stem;
    if (other > i && place.behind.empty()) place.behind = word.stem;
  }
  return place;
}

bool is_same_place(const NumberPlace& one, const NumberPlace& other) {
  if (one.unit != other.unit) return false;
  if (one.clause.empty() || other.clause.empty()) return true;
  const auto touches = [](const NumberPlace& close, const NumberPlace& wide) {
    return wide.clause.contains(close.before) || wide.clause.contains(close.behind);
  };
  if (one.is_alone && other.is_alone)
    return std::ranges::any_of(one.clause, [&](const std::string& stem) { return other.clause.contains(stem); });
  if (one.is_alone) return touches(other, one);
  if (other.is_alone) return touches(one, other);
  return (!one.before.empty() && one.before == other.before) || (!one.behind.empty() && one.behind == other.behind);
}

class KnownValues {
 public:
  KnownValues(WordReader& reader, const Sources& sources) : reader_(reader), sources_(sources) {
    for (const TextWords& text : sources.texts)
      for (const TextWord& word : text.words) add(word);
    for (const std::string& day : sources.days) add_date(day);
  }

  // The whole number, in its unit, beside something that it stands beside in a source.
  bool has_number(const TextWords& text, size_t i) const {
    const TextWord& word = text.words[i];
    if (word.number.empty() || !word.date.empty() || is_known_day(text, i)) return true;
    if (word.number.size() == 4 && years_.contains(word.number)) return true;
    const NumberPlace wanted = place_of_number(text, i);
    return std::ranges::any_of(sources_.texts, [&](const TextWords& source) {
      for (size_t other = 0; other < source.words.size(); ++other)
        if (source.words[other].number == word.number && is_same_place(wanted, place_of_number(source, other))) return true;
      return false;
    });
  }

  bool has_whole(const TextWord& word) const { return !word.number.empty() && whole_numbers_.contains(word.number); }

  bool has(const TextWords& text, size_t place) {
    const TextWord& word = text.words[place];
    if (!word.date.empty()) return has_date(word.date);
    if (is_known_day(text, place)) return true;
    if (reader_.is_among(word, stems_)) return true;
    if (const std::string number = leading_number(word.folded); !number.empty()) {
      // "v2" is no number, "20th" is one.
      return numbers_.contains(number) || (word.folded.size() == 4 && years_.contains(word.folded));
    }
    const auto month = month_of(word.folded);
    return month && months_.contains(*month);
  }

 private:
  void add(const TextWord& word) {
    stems_.insert(word.stem);
    if (!word.number.empty()) whole_numbers_.insert(word.number);
    if (!word.date.empty()) add_date(word.date);
    if (const std::string number = leading_number(word.stem); !number.empty()) numbers_.insert(number);
    if (const auto month = month_of(word.folded)) {
      months_.insert(*month);
      numbers_.insert(std::to_string(*month));
    }
    has_relative_time_ |= is_relative_time(word.folded);
  }

  void add_date(const std::string& date) {
    dates_.insert(date);
    if (date.size() < 7) return;
    dates_.insert(date.substr(0, 7));
    years_.insert(date.substr(0, 4));
    int month = 0;
    std::from_chars(date.data() + 5, date.data() + 7, month);
    months_.insert(month);
    if (date.size() == 10) days_.insert({month, without_leading_zeros(date.substr(8))});
  }

  // "November 20" or "20 November", of a day of the sources.
  bool is_known_day(const TextWords& text, size_t place) const {
    const std::string day = leading_number(text.words[place].folded);
    if (day.empty() || day.size() > 2) return false;
    for (const size_t beside : {place - 1, place + 1}) {
      const auto month = beside < text.words.size() ? month_of(text.words[beside].folded) : std::nullopt;
      if (month && days_.contains({*month, day})) return true;
    }
    return false;
  }

  bool has_date(const std::string& date) const {
    if (dates_.contains(date)) return true;
    if (has_relative_time_ && is_near_a_fact(date)) return true;
    // Written in another way: "20 November", "20.11."
    const bool year = numbers_.contains(date.substr(0, 4)) || years_.contains(date.substr(0, 4));
    const bool month = numbers_.contains(without_leading_zeros(date.substr(5, 2)));
    return year && month && (date.size() < 10 || numbers_.contains(without_leading_zeros(date.substr(8))));
  }

  bool is_near_a_fact(const std::string& date) const {
    const auto instant = parse_time(date);
    return instant && std::ranges::any_of(sources_.fact_days, [&](const std::string& day) {
             const auto fact = parse_time(day);
             return fact && std::chrono::abs(*instant - *fact) <= std::chrono::days(366);
           });
  }

  WordReader& reader_;
  const Sources& sources_;
  Stems stems_, numbers_, whole_numbers_, dates_, years_;
  std::unordered_set<int> months_;
  std::set<std::pair<int, std::string>> days_;  // month and day
  bool has_relative_time_ = false;
};

}  // namespace

bool is_relative_time(std::string_view word) {
  constexpr std::string_view words[] = {"yesterday", "today",   "tomorrow",  "tonight",  "last",   "next",     "ago",
                                        "week",      "weekend", "month",     "year",     "day",    "morning",  "evening",
                                        "monday",    "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
                                        "recently",  "just",    "now",       "gestern",  "heute",  "morgen",   "letzte",
                                        "letzten",   "nachste", "nachsten",  "hier",     "demain", "ayer",     "manana"};
  return std::ranges::find(words, word) != std::end(words);
}

std::vector<std::string> invented_values(WordReader& reader, const TextWords& text, const Sources& sources) {
  KnownValues known(reader, sources);
  std::vector<std::string> invented;
  bool is_number_known = false;
  for (size_t i = 0; i < text.words.size(); ++i) {
    const TextWord& word = text.words[i];
    if (!word.continues_number) is_number_known = known.has_whole(word);
    const bool counts = word.is_value || (word.may_be_name && !is_frame_word(word));
    if (counts && !is_number_known && !known.has(text, i)) {
      add_once(invented, word.date.empty() ? word.folded : word.date);
    } else if (!known.has_number(text, i)) {
      add_once(invented, word.number);
    }
  }
  return invented;
}

}  // namespace loci
