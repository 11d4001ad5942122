#include "capture/excerpt.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

}  // namespace

std::string excerpt(std::string_view text, size_t most) {
  std::string line;
  size_t count = 0;
  for (size_t position = std::min(text.find_first_not_of(blanks), text.size()); position < text.size();) {
    const size_t next = std::min(text.find_first_not_of(blanks, position), text.size());
    if (next == text.size()) break;
    if (count + 1 >= most) return line + "…";
    if (next > position) {
      line += ' ';
      ++count;
    }
    position = next;
    append_code_point(line, decode_code_point(text, position));
    ++count;
  }
  return line;
}

std::string first_line(std::string_view text, size_t most) {
  const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  const size_t end = std::min(text.find('\n', begin), text.size());
  const std::string line = excerpt(text.substr(begin, end - begin), most);
  const bool is_all = text.find_first_not_of(blanks, end) == std::string_view::npos;
  return is_all || line.ends_with("…") ? line : line + " …";
}

}  // namespace loci
