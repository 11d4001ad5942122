#include "parser/text_lines.h"

#include <algorithm>

#include "parser/lines.h"

namespace loci {

std::string_view line_end_of(std::string_view file) {
  const size_t end = file.find('\n');
  return end != std::string_view::npos && end > 0 && file[end - 1] == '\r' ? "\r\n" : "\n";
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += line_end;
    else
      out += c;
  }
  return out;
}

size_t next_line(std::string_view file, size_t begin) {
  const size_t end = file.find('\n', begin);
  return end == std::string_view::npos ? file.size() : end + 1;
}

size_t previous_line(std::string_view file, size_t end) {
  if (end < 2) return 0;
  const size_t before = file.rfind('\n', end - 2);
  return before == std::string_view::npos ? 0 : before + 1;
}

int count_line_ends(std::string_view text) {
  if (text.find('\r') == std::string_view::npos) return static_cast<int>(std::ranges::count(text, '\n'));
  const Lines lines(text);
  const size_t count = lines.count();
  return static_cast<int>(count > 0 && !lines.is_terminated(count - 1) ? count - 1 : count);
}

size_t line_begin(std::string_view file, int line) {
  const Lines lines(file);
  return lines.begin(std::min(static_cast<size_t>(line - 1), lines.count()));
}

std::string lines_between(std::string_view file, int first, int last) {
  const Lines lines(file);
  std::string out;
  for (size_t line = static_cast<size_t>(first - 1); line < std::min(static_cast<size_t>(last), lines.count()); ++line) {
    if (line >= static_cast<size_t>(first)) out += '\n';
    out += lines[line];
  }
  return out;
}

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string_view list_marker(std::string_view line) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  size_t mark = indent;
  if (mark < line.size() && (line[mark] == '-' || line[mark] == '*' || line[mark] == '+')) {
    ++mark;
  } else {
    mark = std::min(line.find_first_not_of("0123456789", indent), line.size());
    if (mark == indent || mark == line.size() || (line[mark] != '.' && line[mark] != ')')) return {};
    ++mark;
  }
  const size_t text = std::min(line.find_first_not_of(" \t", mark), line.size());
  return text == mark && mark < line.size() ? std::string_view() : line.substr(0, text);
}

}  // namespace loci
