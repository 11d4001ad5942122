// What was said, as lines of a prompt: one JSON object a line, its text fenced. Pure but for the calendar of the clock.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "capture/conversation.h"

namespace loci {

// "2026-11-21 (Saturday)", for a prompt: what "on Friday" means depends on it. What is no date comes back as it is.
std::string with_weekday(std::string_view date);

// "2026-11-21 (Saturday)": what a relative time in the text is reckoned from. Empty for no time.
std::string day_with_weekday(const Clock& clock, const std::optional<Instant>& at);

// Up to two lines a turn. A text that is longer than `most_tokens` stands in several lines.
std::vector<std::string> lines_of(const Clock& clock, const SaidTurn& turn, std::int64_t most_tokens);

// The text in pieces of at most so many tokens, cut between code points, at a blank where there is one near.
std::vector<std::string_view> pieces_of(std::string_view text, std::int64_t most_tokens);

// Lines [begin, end), put together.
struct Window {
  size_t begin = 0, end = 0;
  std::string text;
};

// The lines in their order, in texts of at most so many tokens each. A window has at least `at_least` lines, however long, as far
// as there are so many.
std::vector<Window> windows_of(const std::vector<std::string>& lines, std::int64_t most_tokens, size_t at_least = 1);

inline constexpr std::int64_t window_tokens = 6'000;

}  // namespace loci
