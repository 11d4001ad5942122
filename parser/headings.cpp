#include "parser/headings.h"

#include <algorithm>

#include "base/unicode.h"
#include "parser/text_lines.h"

namespace loci {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

std::string_view heading_words(std::string_view line) {
  line = trimmed(line);
  line.remove_prefix(std::min(line.find_first_not_of('#'), line.size()));
  const size_t closing = line.find_last_not_of('#') + 1;
  if (closing > 0 && (line[closing - 1] == ' ' || line[closing - 1] == '\t')) line = line.substr(0, closing);
  return trimmed(line);
}

}  // namespace

int heading_level(std::string_view line) {
  constexpr size_t most_indent = 3, most_level = 6;
  const size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || indent > most_indent || line[indent] != '#') return 0;
  const size_t behind = std::min(line.find_first_not_of('#', indent), line.size());
  if (behind - indent > most_level) return 0;
  const bool is_heading = behind == line.size() || std::string_view(" \t\r\n").contains(line[behind]);
  return is_heading ? static_cast<int>(behind - indent) : 0;
}

bool is_same_heading(std::string_view a, std::string_view b) { return fold(trimmed(a)) == fold(trimmed(b)); }

std::vector<size_t> ends_of_sections(std::string_view file, std::string_view heading) {
  std::vector<size_t> ends;
  bool is_inside = false;
  for (size_t begin = 0; begin < file.size(); begin = next_line(file, begin)) {
    const std::string_view line = file.substr(begin, next_line(file, begin) - begin);
    if (heading_level(line) == 0) continue;
    if (is_inside) ends.push_back(begin);
    is_inside = is_same_heading(heading_words(line), heading);
  }
  if (is_inside) ends.push_back(file.size());
  return ends;
}

}  // namespace loci
