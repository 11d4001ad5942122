// What a text that was said on a certain day means by "yesterday", "in three weeks", "last Saturday", "until the end of the year".
// Pure; any thread; never fails.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "words/values.h"
#include "words/writing.h"

namespace loci {

// From the first day to the last one.
struct DayRange {
  std::chrono::sys_days from, to;
};

std::optional<std::chrono::sys_days> day_in(std::string_view date);  // "2026-11-20"
std::string date_of(std::chrono::sys_days day);

// The days that a value with a span of time can lead to, from one of `bases`: "twelve weeks" to the day so long before and behind.
std::vector<DayRange> days_of_span(const Value& span, const std::vector<std::chrono::sys_days>& bases);

// All days that the text's relative times can mean; `values` are its own.
std::vector<DayRange> days_meant(const std::vector<WrittenWord>& words, const std::vector<Value>& values,
                                 std::chrono::sys_days said);

}  // namespace loci
