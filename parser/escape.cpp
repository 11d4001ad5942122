#include "parser/escape.h"

#include <algorithm>
#include <array>

#include "parser/lines.h"

namespace loci {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_prefix) {
  return text.size() >= lower_prefix.size() &&
         std::equal(lower_prefix.begin(), lower_prefix.end(), text.begin(),
                    [](char wanted, char c) { return wanted == (c >= 'A' && c <= 'Z' ? c + 32 : c); });
}

bool is_markup(std::string_view text) {
  static constexpr std::array<std::string_view, 10> starts = {"<!",        "<?",      "<script", "<pre",    "<style",
                                                              "<textarea", "<<<<<<<", "=======", ">>>>>>>", "|||||||"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return starts_with_ignoring_case(text, start); });
}

bool is_fence(std::string_view text) { return text.starts_with("```") || text.starts_with("~~~"); }

bool is_atx_heading(std::string_view text) {
  const size_t marks = std::min(text.find_first_not_of('#'), text.size());
  return marks >= 1 && marks <= 6 && (marks == text.size() || text[marks] == ' ' || text[marks] == '\t');
}

bool is_setext_underline(std::string_view text) {
  if (text[0] != '=' && text[0] != '-') return false;
  return is_blank(text.substr(std::min(text.find_first_not_of(text[0]), text.size())));
}

bool is_rule(std::string_view text) {
  const char mark = text[0];
  if (mark != '-' && mark != '*' && mark != '_') return false;
  size_t marks = 0;
  for (const char c : text) {
    if (c == mark)
      ++marks;
    else if (c != ' ' && c != '\t')
      return false;
  }
  return marks >= 3;
}

Danger danger_of(std::string_view text) {
  if (text.empty()) return Danger::none;
  if (is_markup(text)) return Danger::markup;
  if (is_fence(text)) return Danger::fence;
  if (is_atx_heading(text) || is_setext_underline(text) || is_rule(text)) return Danger::outline;
  return Danger::none;
}

}  // namespace

LineStart examine_line_start(std::string_view line) {
  LineStart start;
  while (start.indent < 3 && start.indent < line.size() && line[start.indent] == ' ') ++start.indent;
  const size_t text = std::min(line.find_first_not_of('\\', start.indent), line.size());
  start.backslashes = text - start.indent;
  start.danger = danger_of(line.substr(text));
  return start;
}

void append_unescaped(std::string& out, std::string_view line) {
  const LineStart start = examine_line_start(line);
  if (start.backslashes > 0 && start.danger != Danger::none) {
    out.append(line.substr(0, start.indent));
    line.remove_prefix(start.indent + 1);
  }
  out.append(line);
}

}  // namespace loci
