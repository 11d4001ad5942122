#include "parser/code_parts.h"

#include <algorithm>
#include <map>

#include "parser/blocks.h"
#include "parser/lines.h"

namespace loci {
namespace {

size_t run_length(std::string_view text, size_t position) {
  return std::min(text.find_first_not_of('`', position), text.size()) - position;
}

// Where the last run of backticks of each length stands, so that one without its closing run is known at once.
std::map<size_t, size_t> last_runs(std::string_view text) {
  std::map<size_t, size_t> last;
  for (size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at)) {
    const size_t length = run_length(text, at);
    last[length] = at;
    at += length;
  }
  return last;
}

size_t find_run(std::string_view text, size_t position, size_t length) {
  for (;;) {
    position = text.find('`', position);
    const size_t found = run_length(text, position);
    if (found == length) return position;
    position += found;
  }
}

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
  const auto last = last_runs(paragraph);
  const std::string_view cuts = paragraph.contains('|') ? "|\n" : "|";
  bool is_in_tag = false;
  for (size_t at = paragraph.find_first_of("\\<>`"); at < paragraph.size(); at = paragraph.find_first_of("\\<>`", at)) {
    const char mark = paragraph[at];
    if (mark != '`') {
      is_in_tag = mark == '<' ? is_in_tag || may_open_tag(paragraph, at) : is_in_tag && mark != '>';
      at += mark == '\\' ? 2 : 1;
      continue;
    }
    const size_t length = run_length(paragraph, at), inside = at + length;
    if (is_in_tag) return;
    at = inside;
    const auto found = last.find(length);  // behind an escape a run is shorter than it stands there
    if (found == last.end() || found->second < inside) continue;
    const size_t closing = find_run(paragraph, inside, length);
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
