// How days, months and spans of time are called, in the languages that memories are mostly written in. Folded words. Pure; any
// thread; never fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace loci {

std::optional<int> month_named(std::string_view word);    // 1 to 12
std::optional<int> weekday_named(std::string_view word);  // 1 (Monday) to 7; "mondays", "montags" too
// Days from the one on which it is said: "tomorrow" is 1.
std::optional<int> day_named(std::string_view word);

enum class Span : std::uint8_t { day, week, weekend, month, year };
std::optional<Span> span_named(std::string_view word);

// "last", "next", "this" before (or, in some languages, behind) a span or a weekday: -1, 1, 0.
std::optional<int> direction_named(std::string_view word);

bool is_season(std::string_view word);
bool is_end_word(std::string_view word);  // of a span: "end", "Ende", "fin"
bool is_one(std::string_view word);       // "a week", "eine Woche", "un mois"

}  // namespace loci
