// The values that stand in a text: what means one thing, in whatever words and order the rest is put. Numbers with their units,
// times, dates and their parts, weekdays, versions, addresses, paths. Pure; any thread; never fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "words/writing.h"

namespace loci {

struct Value {
  enum class Kind : std::uint8_t { number, time, day, month_day, year_month, month, year, weekday, address };
  Kind kind = Kind::number;
  std::string key;       // "1150", "10:00", "2026-11-20", "11-20", "2026-11", "11", "2026", "3" (Wednesday), "10.20.0.5"
  std::string unit;      // of a number, in one spelling: "mg", "euro", "week"
  size_t word = 0;       // where it begins
  bool is_weak = false;  // "one", "twice": it may stand for a number, and none has to stand for it
  std::string written;   // for a person

  bool operator==(const Value&) const = default;
};

std::vector<Value> values_of(const std::vector<WrittenWord>& words, std::string_view language);

}  // namespace loci
