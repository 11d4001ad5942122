#include "capture/excerpt.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

bool is_one_of(char32_t code_point, std::u32string_view set) { return set.contains(code_point); }

// What stands behind the mark that ends a sentence and still belongs to it: quotes, brackets, emphasis.
size_t behind_closing_marks(std::string_view text, size_t position) {
  for (size_t next = position; next < text.size(); position = next)
    if (!is_one_of(decode_code_point(text, next), U"\"')]}”’»*_`")) break;
  return position;
}

// "e.g. this", "J. Doe" and "1. first" go on; so does "v1.2".
bool goes_on(std::string_view text, size_t mark, size_t behind) {
  const size_t before = text.substr(0, mark).find_last_of(" \t\n.(");
  const size_t word = before == std::string_view::npos ? 0 : before + 1;
  if (count_code_points(text.substr(word, mark - word)) <= 1) return true;
  const size_t next = text.find_first_not_of(blanks, behind);
  return next != std::string_view::npos && text[next] >= 'a' && text[next] <= 'z';
}

// Does a sentence end with the mark that stands at `mark`, of which `behind` is the end with all that closes behind it?
bool ends_sentence(std::string_view text, size_t mark, size_t behind) {
  size_t position = mark;
  const char32_t sign = decode_code_point(text, position);
  if (is_one_of(sign, U"。！？")) return true;
  if (!is_one_of(sign, U".!?…")) return false;
  if (behind < text.size() && !blanks.contains(text[behind])) return false;
  return sign != U'.' || !goes_on(text, mark, behind);
}

std::string_view first_sentence(std::string_view text, size_t most) {
  size_t count = 0;
  for (size_t position = 0; position < text.size() && count < most; ++count) {
    const size_t mark = position;
    decode_code_point(text, position);
    if (const size_t behind = behind_closing_marks(text, position); ends_sentence(text, mark, behind))
      return text.substr(0, behind);
  }
  return {};
}

// Cut at a word's end, if there is one.
std::string cut_at_word(std::string_view line, size_t most) {
  std::string cut = excerpt(line, most);
  if (!cut.ends_with("…")) return cut;
  cut.resize(cut.size() - std::string_view("…").size());
  if (const size_t blank = cut.find_last_of(' '); blank != std::string::npos) cut.resize(blank);
  return cut + " …";
}

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

std::string_view whole_sentences(std::string_view text, size_t most) {
  size_t end = 0, count = 0;
  for (size_t position = 0; position < text.size() && count < most; ++count) {
    const size_t mark = position;
    const bool is_line_end = decode_code_point(text, position) == U'\n';
    const size_t behind = behind_closing_marks(text, position);
    if (is_line_end)
      end = mark;
    else if (ends_sentence(text, mark, behind) && count + count_code_points(text.substr(mark, behind - mark)) <= most)
      end = behind;
  }
  return text.substr(0, end);
}

std::string first_sentences(std::string_view text, size_t most) {
  const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  const size_t end = std::min(text.find('\n', begin), text.size());
  const std::string line = excerpt(text.substr(begin, end - begin), text.size() + 1);
  const bool has_more_lines = text.find_first_not_of(blanks, end) != std::string_view::npos;
  if (count_code_points(line) <= most) return has_more_lines ? line + " …" : line;
  std::string_view kept = whole_sentences(line, most);
  if (kept.empty()) kept = first_sentence(line, 3 * most);
  if (kept.empty()) return cut_at_word(line, most);
  return kept.size() == line.size() && !has_more_lines ? line : std::string(kept) + " …";
}

}  // namespace loci
