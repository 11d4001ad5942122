#include "parser/entry_text.h"

#include <algorithm>
#include <unordered_set>

#include "base/unicode.h"
#include "parser/escape.h"
#include "parser/tag_marks.h"

namespace loci {
namespace {

constexpr size_t longest_heading = 200;  // every entry below carries it
constexpr size_t longest_tags = 2'000;   // that stood behind that

constexpr size_t tab_width = 4;
size_t column_behind(char c, size_t column) { return c == '\t' ? (column / tab_width + 1) * tab_width : column + 1; }

// Where the text of a list item starts.
struct ItemMarker {
  size_t bytes = 0;   // of the first line that belong to the marker
  size_t column = 0;  // that continuation lines are indented to
};

ItemMarker find_marker(std::string_view line) {
  size_t position = std::min(line.find_first_not_of(" \t"), line.size());
  position = std::min(line.find_first_not_of("0123456789", position), line.size());
  if (position < line.size()) ++position;  // the bullet, or the . or ) behind a number
  const size_t behind_mark = position;
  size_t column = behind_mark;
  while (position < line.size() && (line[position] == ' ' || line[position] == '\t'))
    column = column_behind(line[position++], column);
  // Nothing behind the marker, or so many blanks that they start indented code: one blank belongs to the marker.
  const bool one_blank = position == line.size() || column - behind_mark > tab_width;
  if (!one_blank) return {position, column};
  return {std::min(behind_mark + 1, line.size()), behind_mark + 1};
}

// Takes up to `columns` columns of indentation off; what is left of a tab becomes blanks.
void append_outdented(std::string& out, std::string_view line, size_t columns) {
  size_t column = 0;
  size_t position = 0;
  while (column < columns && position < line.size() && (line[position] == ' ' || line[position] == '\t'))
    column = column_behind(line[position++], column);
  if (column > columns) out.append(column - columns, ' ');
  out.append(line.substr(position));
}

std::string_view heading_words(std::string_view line) {
  for (const char* in_front : {" \t", "#", " \t"})  // behind the marks, a # is a tag's
    line.remove_prefix(std::min(line.find_first_not_of(in_front), line.size()));
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  const size_t closing = line.find_last_not_of('#') + 1;
  if (closing == line.size() || (closing > 0 && line[closing - 1] != ' ' && line[closing - 1] != '\t')) return line;
  return line.substr(0, line.find_last_not_of(" \t#") + 1);
}

void cut(std::string& text, size_t bytes) {
  if (text.size() <= bytes) return;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
}

// Its tags go on counting, wherever they stand in it: one may be all that keeps private what stands below.
std::string cut_heading(const std::string& whole) {
  std::string words = whole;
  cut(words, longest_heading);
  words.resize(words.find_last_not_of(" \t") + 1);
  if (whole.size() <= longest_heading) return words;
  const size_t longest = words.size() + longest_tags;
  const auto counted = marks_in_prose(words);
  std::unordered_set<std::string> known(counted.begin(), counted.end());
  for (const std::string& tag : marks_in_prose(whole)) {
    if (!known.insert(tag).second) continue;
    if (words.size() + tag.size() >= longest) return words += more_tags;
    words += " #" + tag;
  }
  return words;
}

}  // namespace

bool EntryText::is_dropped(size_t line) const { return std::ranges::binary_search(outline_.dropped, line); }

LineRange EntryText::trimmed(LineRange range) const {
  const auto is_nothing = [&](size_t line) { return is_blank(lines_[line]) || is_dropped(line); };
  while (range.first < range.end && is_nothing(range.first)) ++range.first;
  while (range.first < range.end && is_nothing(range.end - 1)) --range.end;
  return range;
}

std::string EntryText::clean(std::string text) const {
  if (is_clean_) return text;
  text = scrub_utf8(text);
  return text;
}

std::string EntryText::raw(LineRange range) const {
  if (range.first == range.end) return {};
  if (!lines_.has_carriage_returns() && outline_.dropped.empty()) {
    const size_t begin = lines_.begin(range.first);
    const std::string_view last = lines_[range.end - 1];
    return clean(std::string(lines_.text().substr(begin, lines_.begin(range.end - 1) + last.size() - begin)));
  }
  std::string text;
  for (size_t line = range.first; line < range.end; ++line) {
    if (is_dropped(line)) continue;
    if (!text.empty()) text += '\n';
    text += lines_[line];
  }
  return clean(std::move(text));
}

std::string EntryText::unescaped(LineRange range, size_t first_block) const {
  const size_t begin = lines_.begin(range.first);
  if (lines_.text().substr(begin, lines_.begin(range.end) - begin).find('\\') == std::string_view::npos) return raw(range);
  std::string text;
  size_t next_block = first_block;
  bool in_fence = false;
  for (size_t line = range.first; line < range.end; ++line) {
    for (; next_block < outline_.blocks.size() && outline_.blocks[next_block].line <= line; ++next_block)
      in_fence = outline_.blocks[next_block].type == BlockType::fenced_code;
    if (is_dropped(line)) continue;
    if (!text.empty()) text += '\n';
    if (in_fence)
      text += lines_[line];
    else
      append_unescaped(text, lines_[line]);
  }
  return clean(std::move(text));
}

std::string EntryText::list_item(LineRange range) const {
  if (range.first == range.end) return {};
  const std::string_view first = lines_[range.first];
  const ItemMarker marker = find_marker(first);
  std::string text(first.substr(marker.bytes));
  for (size_t line = range.first + 1; line < range.end; ++line) {
    if (is_dropped(line)) continue;
    text += '\n';
    append_outdented(text, lines_[line], marker.column);
  }
  // An item may start with an empty line behind its bullet.
  text.erase(0, text.find_first_not_of('\n'));
  return clean(std::move(text));
}

std::string EntryText::heading(LineRange range) const {
  // Two lines and more are a paragraph with an underline.
  const bool is_underlined = range.end - range.first > 1;
  std::string words;
  if (!is_underlined) words = heading_words(lines_[range.first]);
  for (size_t line = range.first; is_underlined && line + 1 < range.end; ++line) {
    if (is_dropped(line)) continue;
    const std::string_view text = lines_[line];
    if (!words.empty()) words += ' ';
    words += text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  }
  words = clean(std::move(words));
  return cut_heading(words);
}

}  // namespace loci
