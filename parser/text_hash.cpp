#include "parser/text_hash.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view white_space = " \t\n\v\f\r";

void drop_leading_blank(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size())); }

size_t line_end(std::string_view text, size_t from = 0) { return std::min(text.find('\n', from), text.size()); }

// Bytes of a bullet or number at the front with the white space behind it; 0: there is none.
size_t list_marker_size(std::string_view text) {
  size_t mark = 0;
  if (text[0] == '-' || text[0] == '*' || text[0] == '+') {
    mark = 1;
  } else {
    constexpr size_t most_digits = 9;
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > most_digits || digits == text.size() || (text[digits] != '.' && text[digits] != ')')) return 0;
    mark = digits + 1;
  }
  if (mark == text.size()) return mark;
  return white_space.find(text[mark]) == std::string_view::npos ? 0 : mark + 1;
}

size_t fence_size(std::string_view text) {
  if (text[0] != '`' && text[0] != '~') return 0;
  const size_t size = std::min(text.find_first_not_of(text[0]), text.size());
  if (size < 3) return 0;
  // A backtick behind the opening ones on the same line: that is a code span.
  return text[0] == '`' && text.substr(size, line_end(text) - size).find('`') != std::string_view::npos ? 0 : size;
}

bool closes_fence(std::string_view line, char mark, size_t opening) {
  line.remove_prefix(std::min(line.find_first_not_of(white_space), line.size()));
  const size_t size = std::min(line.find_first_not_of(mark), line.size());
  return size >= opening && line.find_first_not_of(white_space, size) == std::string_view::npos;
}

// The text without the two fence lines of the code block that it starts with.
std::string without_fence_lines(std::string_view text, size_t size) {
  const char mark = text[0];
  text.remove_prefix(std::min(line_end(text) + 1, text.size()));
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = line_end(text, begin);
    if (closes_fence(text.substr(begin, end - begin), mark, size))
      return std::string(text.substr(0, begin)).append(text.substr(end));
    begin = end + 1;
  }
  return std::string(text);
}

// The text without the `>` of the quote's lines that it starts with, however deep.
std::string without_quote_marks(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = line_end(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    const size_t first = line.find_first_not_of(white_space);
    if (first == std::string_view::npos || line[first] != '>') return out.append(text.substr(begin));
    out.append(line.substr(std::min(line.find_first_not_of(" \t>"), line.size())));
    out += '\n';
    begin = end + 1;
  }
  return out;
}

// Bullets go until there is none left, so that a list item and the same text without its bullet are one; then one quote or fence.
// `owner` holds the result if it is no part of the text.
std::string_view without_markers(std::string_view text, std::string& owner) {
  drop_leading_blank(text);
  while (!text.empty()) {
    const size_t marker = list_marker_size(text);
    if (marker == 0) break;
    text.remove_prefix(marker);
    drop_leading_blank(text);
  }
  if (text.empty()) return text;
  if (text[0] == '>') return owner = without_quote_marks(text);
  if (const size_t fence = fence_size(text); fence > 0) return owner = without_fence_lines(text, fence);
  return text;
}

// "[ ] ", "[x] " at the front of a list item.
size_t checkbox_size(std::string_view text) {
  if (text.size() < 4 || text[0] != '[' || text[2] != ']' || white_space.find(text[3]) == std::string_view::npos) return 0;
  return text[1] == ' ' || text[1] == 'x' || text[1] == 'X' ? 4 : 0;
}

std::string_view without_line_marks(std::string_view line) {
  for (size_t size = 1; size > 0 && !line.empty();) {
    drop_leading_blank(line);
    if (line.empty()) break;
    size = std::max(list_marker_size(line), checkbox_size(line));
    line.remove_prefix(size);
  }
  return line;
}

// Emphasis touches a word on one side only: `2 * 3` and `snake_case` have none.
std::string without_emphasis(std::string_view text) {
  const auto is_word = [&](size_t position) {
    if (position >= text.size()) return false;
    const auto c = static_cast<unsigned char>(text[position]);
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto is_blank = [&](size_t position) {
    return position >= text.size() || white_space.find(text[position]) != std::string_view::npos;
  };
  std::string out;
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = std::min(text.find_first_not_of(text[begin], begin), text.size());
    const bool is_mark = text[begin] == '*' || text[begin] == '_' || (text[begin] == '~' && end - begin >= 2);
    const bool inside_a_word = begin > 0 && is_word(begin - 1) && is_word(end);
    const bool alone = (begin == 0 || is_blank(begin - 1)) && is_blank(end);
    if (!is_mark || inside_a_word || alone) out.append(text.substr(begin, end - begin));
  }
  return out;
}

std::string without_loose_marks(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = line_end(text, begin);
    out.append(without_line_marks(text.substr(begin, end - begin))) += '\n';
    begin = end + 1;
  }
  return without_emphasis(out);
}

// White space beyond ASCII starts with one of four bytes: U+0085 U+00A0 | U+1680 | U+2000-200A U+2028 U+2029 U+202F U+205F |
// U+3000.
constexpr bool may_be_space(unsigned char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
}

constexpr std::array<bool, 256> may_be_space_table = [] {
  std::array<bool, 256> table{};
  for (size_t byte = 0; byte < table.size(); ++byte) table[byte] = may_be_space(static_cast<unsigned char>(byte));
  return table;
}();

// The size in bytes of the white space character at `position`, where may_be_space() holds; 0: it is something else.
size_t space_size(std::string_view text, size_t position) {
  size_t next = position;
  const char32_t c = decode_code_point(text, next);
  const bool is_space = c < 0x80 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
                        c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
  return is_space ? next - position : 0;
}

// The end of the words from `begin` on that already have single blanks between them.
size_t end_of_words(std::string_view text, size_t begin) {
  const auto may_be_space_at = [&](size_t position) { return may_be_space_table[static_cast<unsigned char>(text[position])]; };
  size_t position = begin;
  for (; position < text.size(); ++position) {
    if (!may_be_space_at(position)) continue;
    const bool is_single_blank =
        text[position] == ' ' && position > begin && position + 1 < text.size() && !may_be_space_at(position + 1);
    if (!is_single_blank) break;
  }
  return position;
}

std::string with_single_blanks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool pending = false;
  for (size_t position = 0; position < text.size();) {
    const size_t begin = position;
    position = end_of_words(text, begin);
    const size_t space = position < text.size() ? space_size(text, position) : 0;
    if (space == 0 && position < text.size()) ++position;
    if (position > begin) {
      if (pending) out += ' ';
      pending = false;
      out.append(text.substr(begin, position - begin));
    }
    if (space > 0) pending = !out.empty();
    position += space;
  }
  return out;
}

}  // namespace

std::string normalise_for_hash(std::string_view text) {
  std::string owner;
  return nfc(with_single_blanks(without_markers(text, owner)));
}

std::string normalise_loosely(std::string_view text) {
  std::string owner;
  text = without_markers(text, owner);
  // Most texts have nothing to take off.
  if (text.find_first_of("*_~[\n") == std::string_view::npos) return nfc(with_single_blanks(text));
  return nfc(with_single_blanks(without_loose_marks(text)));
}

std::string loose_text_hash(std::string_view text) { return hex(as_bytes(sha256(normalise_loosely(text))), stored_hash_digits); }

std::string text_hash(std::string_view text) {
  constexpr size_t digits = 64;
  return hex(as_bytes(sha256(normalise_for_hash(text))), digits);
}

std::string id_from_hash(std::string_view hash) { return std::string("h-").append(hash.substr(0, 20)); }

std::string sum_from_hash(std::string_view hash) { return std::string(hash.substr(0, 8)); }

bool is_edited(std::string_view sum, std::string_view hash) { return !sum.empty() && sum != sum_from_hash(hash); }

bool has_other_words(std::string_view sum, std::string_view text) {
  return is_edited(sum, stored_text_hash(text)) && is_edited(sum, loose_text_hash(text));
}

}  // namespace loci
