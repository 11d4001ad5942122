#include "parser/tags.h"

#include <algorithm>
#include <unordered_map>

#include "base/unicode.h"
#include "parser/lines.h"

namespace loci {
namespace {

bool is_tag_character(char32_t c) {
  if (c == '_' || c == '-' || c == '/') return true;
  const CharacterClass kind = classify(c);
  return kind == CharacterClass::word || kind == CharacterClass::mark || kind == CharacterClass::cjk ||
         kind == CharacterClass::emoji;
}

// The tag behind the # before `position`, which moves behind it; empty if there is none.
std::string_view take_tag(std::string_view text, size_t& position) {
  const size_t begin = position;
  while (position < text.size()) {
    size_t next = position;
    if (!is_tag_character(decode_code_point(text, next))) break;
    position = next;
  }
  std::string_view tag = text.substr(begin, position - begin);
  while (tag.ends_with('/')) tag.remove_suffix(1);
  if (tag.find_first_not_of("0123456789/") == std::string_view::npos) return {};
  return tag;
}

size_t run_length(std::string_view text, size_t position) {
  return std::min(text.find_first_not_of('`', position), text.size()) - position;
}

// One paragraph: code spans end inside it.
class ParagraphScanner {
 public:
  ParagraphScanner(std::string_view text, std::vector<std::string>& tags) : text_(text), tags_(tags) {}

  void run() {
    for (size_t position = 0; position < text_.size();) {
      position = text_.find_first_of("#`", position);
      if (position == std::string_view::npos) return;
      if (text_[position] == '`')
        position = behind_code_span(position);
      else
        position = behind_tag(position);
    }
  }

 private:
  size_t behind_tag(size_t hash) {
    size_t position = hash + 1;
    if (hash > 0 && std::string_view(" \t\n").find(text_[hash - 1]) == std::string_view::npos) return position;
    const std::string_view tag = take_tag(text_, position);
    if (!tag.empty()) tags_.emplace_back(tag);
    return position;
  }

  // Behind the span that opens here; behind the backticks if nothing closes it.
  size_t behind_code_span(size_t open) {
    if (last_run_.empty()) note_runs(open);
    const size_t length = run_length(text_, open);
    size_t position = open + length;
    if (last_run_[length] <= open) return position;
    for (;;) {
      position = text_.find('`', position);
      const size_t found = run_length(text_, position);
      position += found;
      if (found == length) return position;
    }
  }

  // Where the last run of each length stands, so that a run without its closing one is known at once.
  void note_runs(size_t position) {
    for (; position != std::string_view::npos; position = text_.find('`', position)) {
      const size_t length = run_length(text_, position);
      last_run_[length] = position;
      position += length;
    }
  }

  std::string_view text_;
  std::vector<std::string>& tags_;
  std::unordered_map<size_t, size_t> last_run_;
};

// The length of the fence that the line opens or closes, behind any indentation, quote marks and bullets; 0: none.
size_t fence_length(std::string_view line, char& mark) {
  const size_t start = line.find_first_not_of(" \t>-*+");
  if (start == std::string_view::npos || (line[start] != '`' && line[start] != '~')) return 0;
  const size_t length = std::min(line.find_first_not_of(line[start], start), line.size()) - start;
  if (length < 3) return 0;
  mark = line[start];
  return length;
}

}  // namespace

std::vector<std::string> find_tags(std::string_view text) {
  std::vector<std::string> tags;
  if (text.find('#') == std::string_view::npos) return tags;
  char fence_mark = 0;
  size_t fence = 0;
  size_t paragraph = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    char mark = 0;
    const size_t length = fence_length(line, mark);
    const bool opens = fence == 0 && length > 0;
    const bool closes = fence > 0 && length >= fence && mark == fence_mark;
    if (fence == 0 && (opens || is_blank(line))) ParagraphScanner(text.substr(paragraph, begin - paragraph), tags).run();
    if (opens) {
      fence = length;
      fence_mark = mark;
    } else if (closes) {
      fence = 0;
    }
    begin = end + 1;
    if (opens || closes || fence > 0 || is_blank(line)) paragraph = std::min(begin, text.size());
  }
  if (fence == 0) ParagraphScanner(text.substr(paragraph), tags).run();
  return tags;
}

}  // namespace loci
