#include "capture/said_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "base/unicode.h"
#include "model/fence.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

constexpr std::array<std::string_view, 7> weekdays = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

// Of a date as local_date gives it.
std::string_view weekday_of(std::string_view date) {
  const auto midnight = parse_time(date);
  if (!midnight) return {};
  return weekdays[std::chrono::weekday(std::chrono::floor<std::chrono::days>(*midnight)).c_encoding()];
}

std::string line_of(const std::string& head, std::string_view role, std::string_view text) {
  return head + ",\"role\":\"" + std::string(role) + "\",\"text\":" + fenced(text) + "}\n";
}

// Where a piece of at most `most` code points of the text ends, in bytes.
size_t end_of_piece(std::string_view text, size_t most) {
  size_t end = 0;
  for (size_t count = 0; count < most && end < text.size(); ++count) decode_code_point(text, end);
  if (end == text.size()) return end;
  const size_t blank = text.substr(0, end).find_last_of(" \n");
  return blank != std::string_view::npos && blank > end / 2 ? blank + 1 : end;
}

}  // namespace

std::string with_weekday(std::string_view date) {
  const std::string_view weekday = weekday_of(date);
  return std::string(date) + (weekday.empty() ? "" : " (" + std::string(weekday) + ')');
}

std::string day_with_weekday(const Clock& clock, const std::optional<Instant>& at) {
  return at ? with_weekday(clock.local_date(*at)) : std::string();
}

std::vector<std::string_view> pieces_of(std::string_view text, std::int64_t most_tokens) {
  // Two code points are at most one token, whatever they are.
  const size_t most = 2 * static_cast<size_t>(std::max(most_tokens, std::int64_t{1}));
  std::vector<std::string_view> pieces;
  if (estimate_tokens(text) <= most_tokens) return {text};
  while (!text.empty()) {
    const size_t end = end_of_piece(text, most);
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

std::vector<std::string> lines_of(const Clock& clock, const SaidTurn& turn, std::int64_t most_tokens) {
  const std::string head = "{\"turn\":" + std::to_string(turn.number) + ",\"date\":\"" + day_with_weekday(clock, turn.at) + "\"";
  std::vector<std::string> lines;
  for (const auto& [role, text] : {std::pair{"user", &turn.user}, {"assistant", &turn.assistant}}) {
    if (text->empty()) continue;
    for (const std::string_view piece : pieces_of(*text, most_tokens)) lines.push_back(line_of(head, role, piece));
  }
  return lines;
}

std::vector<Window> windows_of(const std::vector<std::string>& lines, std::int64_t most_tokens, size_t at_least) {
  std::vector<Window> windows;
  std::int64_t tokens = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::int64_t more = estimate_tokens(lines[i]);
    const bool is_full = windows.empty() || (i - windows.back().begin >= at_least && tokens + more > most_tokens);
    if (is_full) {
      windows.push_back({.begin = i, .end = i, .text = {}});
      tokens = 0;
    }
    windows.back().text += lines[i];
    windows.back().end = i + 1;
    tokens += more;
  }
  return windows;
}

}  // namespace loci
