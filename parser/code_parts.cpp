#include "parser/code_parts.h"

#include <algorithm>

#include "parser/backticks.h"
#include "parser/blocks.h"
#include "parser/lines.h"

namespace loci {
namespace {

bool may_open_tag(std::string_view text, size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' || next == '!' || next == '?';
}

}  // namespace

CodeParts::CodeParts(std::string_view text) {
  const Lines lines(text);
  const std::vector<Leaf> leaves = leaves_of(lines);
  for (size_t line = 0; line < leaves.size();) {
    const size_t first = line;
    const auto& [kind, block] = leaves[first];
    while (line < leaves.size() && leaves[line].block == block && leaves[line].kind == kind) ++line;
    if (kind == Leaf::Kind::fenced_code) parts_.push_back({lines.begin(first), lines.begin(line)});
    if (kind == Leaf::Kind::text) read_spans(text, lines.begin(first), lines.begin(line));
  }
}

// One paragraph: spans end inside it. From where a tag of HTML or the cells of a table may cut one on, nobody knows.
void CodeParts::read_spans(std::string_view text, size_t begin, size_t end) {
  const std::string_view paragraph = text.substr(begin, end - begin);
  Backticks backticks(paragraph);
  const std::string_view cuts = paragraph.contains('|') ? "|\n" : "|";
  bool is_in_tag = false;
  for (size_t at = paragraph.find_first_of("\\<>`"); at < paragraph.size(); at = paragraph.find_first_of("\\<>`", at)) {
    const char mark = paragraph[at];
    if (mark != '`') {
      is_in_tag = mark == '<' ? is_in_tag || may_open_tag(paragraph, at) : is_in_tag && mark != '>';
      at += mark == '\\' ? 2 : 1;
      continue;
    }
    const size_t length = backticks.length_at(at), inside = at + length;
    if (is_in_tag) return;
    at = inside;
    const size_t closing = backticks.closing(inside, length);  // behind an escape a run is shorter than it stands there
    if (closing == std::string_view::npos) continue;
    if (paragraph.substr(inside, closing - inside).find_first_of(cuts) != std::string_view::npos) return;
    parts_.push_back({begin + inside, begin + closing});
    at = closing + length;
  }
}

bool CodeParts::has(size_t offset) const {
  const auto behind = std::ranges::upper_bound(parts_, offset, {}, &Part::begin);
  return behind != parts_.begin() && offset < std::prev(behind)->end;
}

}  // namespace loci
