#include "words/numbers.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/unicode.h"

namespace loci {
namespace {

// The zeros of Unicode's sets of decimal digits (general category Nd) but ASCII; the nine others follow each.
constexpr char32_t zeros[] = {
    0x0660,  0x06F0,  0x07C0,  0x0966,  0x09E6,  0x0A66,  0x0AE6,  0x0B66,  0x0BE6,  0x0C66,  0x0CE6,  0x0D66,  0x0DE6,  0x0E50,
    0x0ED0,  0x0F20,  0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,
    0xA620,  0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60, 0x16AC0,
    0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0};

// Spellings of one unit stand together, the first of them names it.
constexpr std::string_view unit_spellings =
    "mg milligram milligrams|g gram grams|kg kilo kilos kilogram kilograms|mcg microgram micrograms|ml milliliter milliliters "
    "millilitre millilitres|cl|dl|l liter liters litre litres|mm millimeter millimeters millimetre millimetres|cm centimeter "
    "centimeters centimetre centimetres|m meter meters metre metres|km kilometer kilometers kilometre kilometres|ft foot "
    "feet|inch inches|mile miles|lb lbs pound pounds|oz ounce ounces|ms millisecond milliseconds|s sec second seconds|min minute "
    "minutes|h hr hrs hour hours|day days|week weeks|month months|year years|% percent|degree degrees|c celsius|f "
    "fahrenheit|kb|mb|gb|tb|kib|mib|gib|w watt watts|kw|kwh|v volt volts|hz|khz|mhz|ghz|euro euros eur|$ usd dollar dollars|gbp "
    "sterling|hundred|thousand k|million millions|billion billions|am|pm|times x";

const std::unordered_map<std::string, std::string>& units() {
  static const auto table = [] {
    std::unordered_map<std::string, std::string> names;
    std::string first, word;
    const auto take = [&] {
      if (first.empty()) first = word;
      if (!word.empty()) names.emplace(std::exchange(word, {}), first);
    };
    for (const char c : unit_spellings) {
      if (c != ' ' && c != '|') {
        word += c;
        continue;
      }
      take();
      if (c == '|') first.clear();
    }
    take();
    return names;
  }();
  return table;
}

constexpr std::pair<std::string_view, std::string_view> symbols[] = {
    {"%", "%"}, {"$", "$"}, {"\xE2\x82\xAC", "euro"}, {"\xC2\xA3", "gbp"}, {"\xC2\xB0", "degree"}};

}  // namespace

std::string with_ascii_digits(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    const char32_t c = decode_code_point(text, position);
    const auto zero = std::ranges::find_if(zeros, [&](char32_t first) { return c >= first && c < first + 10; });
    if (c < 0x80 || zero == std::end(zeros)) {
      out += text.substr(begin, position - begin);
    } else {
      out += static_cast<char>('0' + (c - *zero));
    }
  }
  return out;
}

std::optional<std::string> number_of_word(std::string_view word) {
  constexpr std::array<std::string_view, 20> small = {
      "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
      "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr std::array<std::string_view, 8> tens = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  if (const auto found = std::ranges::find(small, word); found != small.end()) return std::to_string(found - small.begin());
  if (const auto found = std::ranges::find(tens, word); found != tens.end()) return std::to_string(10 * (found - tens.begin() + 2));
  if (word == "hundred") return "100";
  if (word == "thousand") return "1000";
  if (word == "million") return "1000000";
  return std::nullopt;
}

std::string whole_number(std::string number, bool is_negative) {
  const size_t comma = number.find(',');
  bool groups_thousands = comma != std::string::npos && comma <= 3 && number.front() != '0';
  for (size_t at = comma; groups_thousands && at != std::string::npos; at = number.find(',', at + 1))
    groups_thousands = std::min(number.find_first_not_of("0123456789", at + 1), number.size()) == at + 4;
  if (groups_thousands) std::erase(number, ',');
  if (number.contains(':') && number.size() > 1 && number.front() == '0' && number[1] != ':') number.erase(0, 1);
  return is_negative ? "-" + number : number;
}

bool is_unit(std::string_view word) { return units().contains(std::string(word)); }

std::string unit_named(std::string_view word) {
  const auto found = units().find(std::string(word));
  return found == units().end() ? std::string(word) : found->second;
}

std::string unit_behind(std::string_view gap) {
  if (gap.starts_with(' ')) gap.remove_prefix(1);
  for (const auto& [symbol, name] : symbols)
    if (gap.starts_with(symbol)) return std::string(name);
  return {};
}

std::string unit_before(std::string_view gap) {
  if (gap.ends_with(' ')) gap.remove_suffix(1);
  for (const auto& [symbol, name] : symbols)
    if (symbol != "%" && gap.ends_with(symbol)) return std::string(name);
  return {};
}

}  // namespace loci
