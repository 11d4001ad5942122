#include "words/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "words/calendar_words.h"
#include "words/numbers.h"
#include "words/word_table.h"

namespace loci {
namespace {

using Kind = Value::Kind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_all_digits(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_digit); }
bool is_blank(std::string_view gap) { return gap.find_first_not_of(" \t\xC2\xA0") == std::string_view::npos; }

int number_in(std::string_view digits) {
  int number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// "1,150" is 1150, "0,5" is 0.5; with points between thousands where a language has them.
std::string plain_number(std::string digits, std::string_view language) {
  const auto groups = [&](char mark) {
    const size_t first = digits.find(mark);
    if (first == std::string::npos || first == 0 || first > 3 || digits.front() == '0') return false;
    for (size_t at = first; at != std::string::npos; at = digits.find(mark, at + 1)) {
      const size_t end = std::min(digits.find_first_not_of("0123456789", at + 1), digits.size());
      if (end != at + 4) return false;
    }
    return true;
  };
  if (groups(',')) {
    std::erase(digits, ',');
  } else if (groups('.') && !language.empty() && language != "en" && language != "zh") {
    std::erase(digits, '.');
  }
  std::ranges::replace(digits, ',', '.');
  return digits;
}

std::string multiplied(const std::string& number, double factor) {
  const double product = std::strtod(number.c_str(), nullptr) * factor;
  return std::abs(product) < 1e15 ? std::to_string(std::llround(product)) : number;
}

std::optional<double> factor_named(std::string_view unit) {
  if (unit == "hundred") return 100.0;
  if (unit == "thousand") return 1e3;
  if (unit == "million") return 1e6;
  if (unit == "billion") return 1e9;
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::vector<WrittenWord>& words, std::string_view language) : words_(words), language_(language) {}

  std::vector<Value> read() {
    while (at_ < words_.size()) {
      const size_t begin = at_;
      for (const auto step : {&Reader::address, &Reader::written_date, &Reader::spoken_time, &Reader::named_date, &Reader::weekday,
                              &Reader::chinese_weekday, &Reader::digits, &Reader::number_word, &Reader::weak_number})
        if ((this->*step)()) break;
      if (at_ == begin) ++at_;
    }
    return std::move(found_);
  }

 private:
  const WrittenWord* word(size_t index) const { return index < words_.size() ? &words_[index] : nullptr; }
  std::string_view folded(size_t index) const { return index < words_.size() ? std::string_view(words_[index].folded) : ""; }
  bool follows(size_t index, std::string_view gap) const { return index < words_.size() && words_[index].before == gap; }
  bool is_beside(size_t index) const { return index < words_.size() && is_blank(words_[index].before); }

  bool take(Kind kind, std::string key, size_t count, std::string unit = {}, bool is_weak = false) {
    Value value{kind, std::move(key), std::move(unit), at_, is_weak, {}};
    for (size_t i = at_; i < at_ + count; ++i) value.written += (i > at_ ? words_[i].before : std::string()) + words_[i].written;
    if (!value.unit.empty() && count == 1) value.written += " " + value.unit;
    found_.push_back(std::move(value));
    at_ += count;
    return true;
  }

  bool take_day(int year, int month, int day, size_t count) {
    if (month < 1 || month > 12 || day < 1 || day > 31) return false;
    const std::string month_day = two_digits(month) + "-" + two_digits(day);
    return year > 0 ? take(Kind::day, std::to_string(year) + "-" + month_day, count) : take(Kind::month_day, month_day, count);
  }

  static int year_in(std::string_view digits) {
    const int year = digits.size() == 4 && is_all_digits(digits) ? number_in(digits) : 0;
    return year >= 1900 && year <= 2100 ? year : 0;
  }

  bool address() {
    const WrittenWord& one = words_[at_];
    if (!one.is_address) return false;
    std::string key = one.folded;
    while (key.size() > 1 && key.ends_with('/')) key.pop_back();
    if (key.front() == 'v' && key.size() > 1 && is_digit(key[1])) key.erase(0, 1);
    const bool is_number =
        std::ranges::count(key, '.') == 1 && std::ranges::all_of(key, [](char c) { return is_digit(c) || c == '.'; });
    return take(is_number ? Kind::number : Kind::address, key, 1);
  }

  // 2026-11-20, 2026-11, 20.11.2026, 20.11., 2026年11月20日
  bool written_date() {
    const std::string_view first = folded(at_);
    if (!is_digit(first.empty() ? ' ' : first.front())) return false;
    if (const int year = year_in(first);
        year > 0 && follows(at_ + 1, "-") && folded(at_ + 1).size() == 2 && is_all_digits(folded(at_ + 1))) {
      const int month = number_in(folded(at_ + 1));
      if (follows(at_ + 2, "-") && folded(at_ + 2).size() == 2 && is_all_digits(folded(at_ + 2)))
        return take_day(year, month, number_in(folded(at_ + 2)), 3);
      if (month >= 1 && month <= 12) return take(Kind::year_month, std::to_string(year) + "-" + two_digits(month), 2);
    }
    return dotted_date(first) || chinese_date();
  }

  bool dotted_date(std::string_view digits) {
    const size_t first = digits.find('.'), second = first == std::string_view::npos ? first : digits.find('.', first + 1);
    if (first == std::string_view::npos || first > 2) return false;
    const std::string_view day = digits.substr(0, first);
    if (second != std::string_view::npos) {
      const std::string_view month = digits.substr(first + 1, second - first - 1), year = digits.substr(second + 1);
      return is_all_digits(day) && is_all_digits(month) && year_in(year) > 0 &&
             take_day(year_in(year), number_in(month), number_in(day), 1);
    }
    const std::string_view month = digits.substr(first + 1);
    const bool is_date = language_ == "de" && month.size() <= 2 && words_[at_].behind.starts_with('.') && is_all_digits(month);
    return is_date && is_all_digits(day) && take_day(0, number_in(month), number_in(day), 1);
  }

  bool chinese_date() {
    const auto has_mark = [&](size_t index, std::string_view mark) {
      return follows(index, "") && folded(index).starts_with(mark);
    };
    if (const int year = year_in(folded(at_)); year > 0 && has_mark(at_ + 1, "年")) {
      if (is_all_digits(folded(at_ + 2)) && has_mark(at_ + 3, "月")) {
        if (is_all_digits(folded(at_ + 4)) && (has_mark(at_ + 5, "日") || has_mark(at_ + 5, "号")))
          return take_day(year, number_in(folded(at_ + 2)), number_in(folded(at_ + 4)), 5);
        return take(Kind::year_month, std::to_string(year) + "-" + two_digits(number_in(folded(at_ + 2))), 3);
      }
      return take(Kind::year, std::to_string(year), 1);
    }
    if (!is_all_digits(folded(at_)) || !has_mark(at_ + 1, "月") || folded(at_).size() > 2) return false;
    if (is_all_digits(folded(at_ + 2)) && (has_mark(at_ + 3, "日") || has_mark(at_ + 3, "号")))
      return take_day(0, number_in(folded(at_)), number_in(folded(at_ + 2)), 3);
    return take(Kind::month, std::to_string(number_in(folded(at_))), 1);
  }

  // --- times ---

  // Hours and minutes, with what stands behind them: "pm", "Uhr".
  bool take_time(int hour, int minute, size_t count) {
    size_t used = count;
    if (const auto half = half_of_day(at_ + count)) {
      used += half->second;
      if (half->first == 'p' && hour < 12) hour += 12;
      if (half->first == 'a' && hour == 12) hour = 0;
    } else if (folded(at_ + count) == "uhr" || folded(at_ + count) == "heures" || folded(at_ + count) == "h") {
      ++used;
    }
    if (hour > 24 || minute > 59) return false;
    return take(Kind::time, std::to_string(hour) + ":" + two_digits(minute), used);
  }

  std::optional<std::pair<char, size_t>> half_of_day(size_t index) const {
    const std::string_view next = folded(index);
    if (next == "am" || next == "pm") {
      if (language_ != "de" || next == "pm") return std::pair(next.front(), size_t{1});
      return std::nullopt;
    }
    if ((next == "a" || next == "p") && folded(index + 1) == "m" && follows(index + 1, "."))
      return std::pair(next.front(), size_t{2});
    return std::nullopt;
  }

  std::optional<int> hour_at(size_t index) const {
    if (const std::string_view digits = folded(index); is_all_digits(digits) && digits.size() <= 2) return number_in(digits);
    if (index >= words_.size()) return std::nullopt;
    const auto named = number_of_word(folded(index), language_);
    return named ? std::optional(number_in(*named)) : folded(index) == "one" ? std::optional(1) : std::nullopt;
  }

  // "half past seven", "quarter to nine", "halb acht", "Viertel nach acht", "siete y media", "sept heures et demie".
  bool spoken_time() {
    const std::string_view one = folded(at_), next = folded(at_ + 1);
    const auto at_hour = [&](size_t index, int shift, int minute, size_t count) {
      const auto hour = hour_at(index);
      return hour && *hour <= 24 && take_time(*hour + shift, minute, count);
    };
    if (one == "half" && next == "past") return at_hour(at_ + 2, 0, 30, 3);
    if (one == "quarter" && next == "past") return at_hour(at_ + 2, 0, 15, 3);
    if (one == "quarter" && next == "to") return at_hour(at_ + 2, -1, 45, 3);
    if (one == "halb") return at_hour(at_ + 1, -1, 30, 2);
    if (one == "viertel" && next == "nach") return at_hour(at_ + 2, 0, 15, 3);
    if (one == "viertel" && next == "vor") return at_hour(at_ + 2, -1, 45, 3);
    if ((next == "y" || next == "e") && (folded(at_ + 2) == "media" || folded(at_ + 2) == "mezza")) return at_hour(at_, 0, 30, 3);
    if (next == "heures" && folded(at_ + 2) == "et" && folded(at_ + 3) == "demie") return at_hour(at_, 0, 30, 4);
    if (one == "noon" || one == "midday") return take(Kind::time, "12:00", 1);
    if (one == "midnight" || one == "mitternacht") return take(Kind::time, "0:00", 1);
    const bool is_clock = next == "uhr" || next == "o" || half_of_day(at_ + 1).has_value();
    if (is_clock && is_beside(at_ + 1) && !is_digit(one.empty() ? ' ' : one.front()))
      if (next != "o" || folded(at_ + 2) == "clock") return at_hour(at_, 0, 0, next == "o" ? 3 : 1);
    return false;
  }

  // --- dates with names ---

  std::optional<int> month_at(size_t index) const {
    if (index >= words_.size()) return std::nullopt;
    const WrittenWord& one = words_[index];
    const auto month = month_named(one.folded);
    if (!month) return std::nullopt;
    static const WordTable ambiguous("may march mar jan feb apr jun jul aug sep sept oct nov dec okt dez august mei ");
    if (ambiguous.contains(one.folded) && !begins_with_capital(one.written)) return std::nullopt;
    const bool is_beside_number = is_number_at(index + 1) || (index > 0 && is_number_at(index - 1));
    if ((one.folded == "may" || one.folded == "march") && one.opens_sentence && !is_beside_number) return std::nullopt;
    if (one.folded == "mai" && language_ == "it") return std::nullopt;
    if (one.folded == "marco" && one.written.ends_with("co")) return std::nullopt;
    return month;
  }

  bool is_number_at(size_t index) const { return index < words_.size() && is_digit(words_[index].folded.front()); }

  // 14 of "14", "14th", "14."; 0 if it is none.
  int day_at(size_t index) const {
    if (!is_number_at(index)) return 0;
    const std::string_view one = folded(index);
    const size_t digits = std::min(one.find_first_not_of("0123456789"), one.size());
    static const WordTable endings("st nd rd th er e");
    if (digits > 2 || (digits < one.size() && !endings.contains(one.substr(digits)))) return 0;
    const int day = number_in(one.substr(0, digits));
    return day >= 1 && day <= 31 ? day : 0;
  }

  bool named_date() {
    static const WordTable of("of de del di");
    if (const int day = day_at(at_); day > 0) {
      const size_t name = at_ + (of.contains(folded(at_ + 1)) ? 2 : 1);
      if (const auto month = month_at(name)) return take_with_year(*month, day, name + 1 - at_);
    }
    const auto month = month_at(at_);
    if (!month) return false;
    if (const int day = day_at(at_ + 1); day > 0 && !is_time_or_unit_behind(at_ + 1)) return take_with_year(*month, day, 2);
    return take_with_year(*month, 0, 1);
  }

  bool is_time_or_unit_behind(size_t index) const {
    return folded(index).contains(':') || (is_beside(index + 1) && (is_unit(folded(index + 1)) || half_of_day(index + 1)));
  }

  bool take_with_year(int month, int day, size_t count) {
    static const WordTable of("of de del di");
    const size_t behind = at_ + count + (of.contains(folded(at_ + count)) ? 1 : 0);
    const int year = year_in(folded(behind));
    if (year > 0) count = behind + 1 - at_;
    if (day > 0) return take_day(year, month, day, count);
    if (year > 0) return take(Kind::year_month, std::to_string(year) + "-" + two_digits(month), count);
    return take(Kind::month, std::to_string(month), count);
  }

  bool weekday() {
    std::string_view one = folded(at_);
    for (const std::string_view part : {"abend", "abends", "morgen", "vormittag", "nachmittag", "mittag", "nacht"})
      if (one.size() > part.size() + 5 && one.ends_with(part)) one.remove_suffix(part.size());
    const auto named = weekday_named(one);
    return named && take(Kind::weekday, std::to_string(*named), 1);
  }

  bool chinese_weekday() {
    if (!words_[at_].is_cjk) return false;
    constexpr std::string_view days[] = {"一", "二", "三", "四", "五", "六", "日", "天"};
    const std::string_view one = folded(at_);
    bool any = false;
    for (const std::string_view mark : {"星期", "周", "礼拜", "週"})
      for (size_t at = one.find(mark); at != std::string_view::npos; at = one.find(mark, at + 1))
        for (size_t i = 0; i < std::size(days); ++i)
          if (one.substr(at + mark.size()).starts_with(days[i])) {
            found_.push_back({Kind::weekday, std::to_string(std::min<size_t>(i + 1, 7)), {}, at_, false, std::string(one)});
            any = true;
          }
    if (any) ++at_;
    return any;
  }

  // --- numbers ---

  bool digits() {
    const WrittenWord& one = words_[at_];
    const std::string& text = one.folded;
    const size_t first = text.find_first_of("0123456789");
    if (first == std::string::npos) return false;
    if (first > 0 && !(first == 1 && text.front() == 'v')) return take(Kind::address, text, 1);
    const size_t end = std::min(text.find_first_not_of("0123456789.,:", first), text.size());
    const std::string number = text.substr(first, end - first), letters = text.substr(end);
    if (number.contains(':') || (letters == "uhr")) return clock(number, letters);
    if (letters == "h" || letters.starts_with('h')) {
      const std::string_view minutes = std::string_view(letters).substr(1);
      if (is_all_digits(minutes) && minutes.size() == 2 && number.size() <= 2)
        return take_time(number_in(number), number_in(minutes), 1);
    }
    if (letters == "am" || letters == "pm") return clock(number, letters);
    static const WordTable endings("st nd rd th er e o a");
    if (!letters.empty() && letters != "k" && !endings.contains(letters) && !is_unit(letters)) return take(Kind::address, text, 1);
    if (letters.empty() && is_clock_behind()) return clock(number, {});
    return take_number(number, endings.contains(letters) ? std::string() : letters);
  }

  bool is_clock_behind() const {
    if (!is_beside(at_ + 1)) return false;
    return half_of_day(at_ + 1).has_value() || folded(at_ + 1) == "uhr" || (folded(at_ + 1) == "o" && folded(at_ + 2) == "clock");
  }

  bool clock(std::string number, std::string_view letters) {
    std::ranges::replace(number, '.', ':');
    const size_t colon = number.find(':');
    int hour = number_in(number.substr(0, colon));
    const int minute = colon == std::string::npos ? 0 : number_in(number.substr(colon + 1, 2));
    if (letters == "pm" && hour < 12) hour += 12;
    if (letters == "am" && hour == 12) hour = 0;
    const size_t before = at_;
    if (hour >= 0 && minute >= 0 && take_time(hour, minute, folded(at_ + 1) == "o" ? 3 : 1)) return true;
    return at_ == before && take(Kind::address, number, 1);
  }

  bool take_number(const std::string& digits, const std::string& letters) {
    const int year = letters.empty() ? year_in(digits) : 0;
    std::string unit = unit_at(letters);
    std::string number = plain_number(digits, language_);
    size_t count = 1;
    if (letters == "k") unit = "thousand";
    if (const auto factor = factor_named(unit)) {
      number = multiplied(number, *factor);
      count += letters.empty() ? 1 : 0;
      unit = at_ + count < words_.size() ? unit_behind_word(at_ + count - 1) : std::string();
    }
    if (year > 0 && unit.empty()) return take(Kind::year, std::to_string(year), 1);
    if (is_negative()) number = "-" + number;
    return take(Kind::number, number, count, unit);
  }

  bool is_negative() const {
    const std::string_view gap = words_[at_].before;
    for (const std::string_view sign : {"-", "\xE2\x88\x92"})
      if (gap.ends_with(sign))
        return gap.size() == sign.size() ? at_ == 0 : !gap.substr(0, gap.size() - sign.size()).ends_with('-');
    return at_ > 0 && words_[at_ - 1].folded == "minus";
  }

  // With these letters behind the digits of the word that is looked at.
  std::string unit_at(const std::string& letters) const {
    if (!letters.empty()) return known_unit(letters);
    if (const std::string unit = unit_before(words_[at_].before); !unit.empty()) return unit;
    return unit_behind_word(at_);
  }

  std::string unit_behind_word(size_t index) const {
    if (const std::string unit = unit_behind(words_[index].behind); !unit.empty()) return unit;
    const WrittenWord* next = word(index + 1);
    if (!next) return {};
    if (const std::string unit = unit_behind(next->before); !unit.empty() && unit != "degree") return unit;
    if (next->is_cjk) {
      for (const std::string_view unit : {"公里", "个月", "小时", "分钟", "天", "周", "岁", "元"})
        if (next->before.empty() && next->folded.starts_with(unit)) return known_unit(unit);
      return {};
    }
    const bool is_near = is_blank(next->before) || next->before == "-" || next->before.contains("°");
    return is_near && is_unit(next->folded) ? known_unit(next->folded) : std::string();
  }

  static std::string known_unit(std::string_view word) {
    const std::string unit = unit_named(word);
    return unit == "times" || unit == "am" || unit == "pm" ? std::string() : unit;
  }

  bool number_word() {
    const auto number = number_of_word(folded(at_), language_.empty() ? "en" : language_);
    if (!number || is_one(folded(at_))) return false;
    std::string value = *number;
    size_t count = 1;
    if (const WrittenWord* next = word(at_ + 1);
        next && value.size() == 2 && value.back() == '0' && (next->before == "-" || next->before == " "))
      if (const auto ones = number_of_word(next->folded, language_.empty() ? "en" : language_);
          ones && ones->size() == 1 && *ones != "0") {
        value = std::to_string(number_in(value) + number_in(*ones));
        count = 2;
      }
    if (is_beside(at_ + count))
      if (const auto factor = factor_named(unit_named(folded(at_ + count)))) {
        value = multiplied(value, *factor);
        ++count;
      }
    return take(Kind::number, value, count, unit_behind_word(at_ + count - 1));
  }

  bool weak_number() {
    constexpr std::pair<std::string_view, std::string_view> weak[] = {
        {"one", "1"},     {"a", "1"},          {"an", "1"},     {"once", "1"},   {"ein", "1"},    {"eine", "1"},    {"einen", "1"},
        {"un", "1"},      {"une", "1"},        {"una", "1"},    {"first", "1"},  {"single", "1"}, {"twice", "2"},   {"both", "2"},
        {"couple", "2"},  {"pair", "2"},       {"beide", "2"},  {"double", "2"}, {"second", "2"}, {"zweimal", "2"}, {"third", "3"},
        {"dreimal", "3"}, {"fortnight", "14"}, {"dozen", "12"}, {"half", "0.5"}, {"zero", "0"}};
    const auto found = std::ranges::find(weak, folded(at_), [](const auto& one) { return one.first; });
    return found != std::end(weak) && take(Kind::number, std::string(found->second), 1, {}, true);
  }

  const std::vector<WrittenWord>& words_;
  std::string_view language_;
  std::vector<Value> found_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Value> values_of(const std::vector<WrittenWord>& words, std::string_view language) {
  return Reader(words, language).read();
}

}  // namespace loci
