#include "parser/lines.h"

#include <algorithm>

namespace loci {

Lines::Lines(std::string_view text, size_t offset)
    : text_(text), has_carriage_returns_(text.find('\r', offset) != std::string_view::npos) {
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  starts_.reserve(2 + static_cast<size_t>(std::ranges::count_if(rest, [](char c) { return c == '\n' || c == '\r'; })));
  starts_.push_back(static_cast<std::uint32_t>(offset));
  while (offset < text.size()) {
    const size_t end = has_carriage_returns_ ? text.find_first_of("\r\n", offset) : text.find('\n', offset);
    if (end == std::string_view::npos)
      offset = text.size();
    else
      offset = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    starts_.push_back(static_cast<std::uint32_t>(offset));
  }
}

std::string_view Lines::operator[](size_t line) const {
  std::string_view text = with_end(line);
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

bool Lines::is_terminated(size_t line) const {
  const std::string_view text = with_end(line);
  return text.ends_with('\n') || text.ends_with('\r');
}

size_t Lines::line_at(size_t offset) const {
  return static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin()) - 1;
}

}  // namespace loci
