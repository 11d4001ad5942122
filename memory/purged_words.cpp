#include "memory/purged_words.h"

#include <algorithm>

#include "base/json.h"
#include "memory/still_says.h"

namespace loci {
namespace {

constexpr size_t shortest_line = 4;  // bytes

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

bool holds_any(std::string_view text, const std::vector<std::string>& needles) {
  return std::ranges::any_of(needles, [&](const std::string& needle) { return text.contains(needle); });
}

}  // namespace

PurgedWords::PurgedWords(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    texts_.push_back(entry.text);
    std::string_view rest = entry.text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.size() < shortest_line) continue;
      lines_.emplace_back(line);
      const std::string quoted = to_string(Json(line));
      escaped_.push_back(quoted.substr(1, quoted.size() - 2));
    }
  }
}

bool PurgedWords::stand_in(std::string_view text) const { return holds_any(text, lines_); }

bool PurgedWords::stand_escaped_in(std::string_view bytes) const { return holds_any(bytes, lines_) || holds_any(bytes, escaped_); }

size_t PurgedWords::find_in(std::string_view bytes) const {
  for (const auto* needles : {&lines_, &escaped_})
    for (const std::string& needle : *needles)
      if (const size_t at = bytes.find(needle); at != std::string_view::npos) return at;
  return std::string_view::npos;
}

bool PurgedWords::are_said_in(std::string_view text) const {
  constexpr double half = 0.5;
  return std::ranges::any_of(texts_, [&](const std::string& purged) { return shared_words(purged, text) >= half; });
}

}  // namespace loci
