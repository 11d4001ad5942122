#include "parser/front_words.h"

#include <algorithm>
#include <charconv>

#include "base/unicode.h"
#include "parser/tag_names.h"
#include "parser/tags.h"

namespace loci {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// How many digits the escape behind a backslash has: \x41, \u0041, \U00000041; 0 for any other.
size_t digits_of_escape(char letter) { return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0; }

// With the escapes for characters decoded: what is written with them is no less a name.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t digits = text[at] == '\\' && at + 1 < text.size() ? digits_of_escape(text[at + 1]) : 0;
    std::uint32_t code = 0;
    const char* const first = text.data() + at + 2;
    const bool is_escape = digits > 0 && at + 2 + digits <= text.size() &&
                           std::from_chars(first, first + digits, code, 16).ptr == first + digits && code > 0 && code <= 0x10FFFF;
    if (is_escape)
      append_code_point(out, static_cast<char32_t>(code));
    else
      out += text[at];
    at += is_escape ? digits + 2 : 1;
  }
  return out;
}

bool ends_with_letter(std::string_view text) {
  size_t last = text.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  const char32_t c = decode_code_point(text, last);
  const CharacterClass kind = classify(c);
  return kind == CharacterClass::cjk || kind == CharacterClass::mark || (kind == CharacterClass::word && (c < '0' || c > '9'));
}

}  // namespace

size_t behind_tags_key(std::string_view text) {
  constexpr std::u32string_view colons = U":=\uFF1A\uFE55\u2236\uFE13";
  std::string key;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = decode_code_point(text, at);
    if (colons.contains(c)) return key == "tags" || key == "tag" ? at : std::string_view::npos;
    if (is_white_space(c) || is_unseen(c) || (classify(c) == CharacterClass::punctuation && c != '#')) continue;
    append_folded(key, c);
    if (key.size() > 4) break;
  }
  return std::string_view::npos;
}

void add_tag(std::vector<std::string>& tags, std::string_view text) {
  text = unquoted(text);
  while (text.starts_with('#')) text.remove_prefix(1);
  if (!text.empty() && text != "null" && text != "~" && tags.size() < most_tags_read) tags.emplace_back(text);
}

void add_listed_tags(std::vector<std::string>& tags, std::string_view text) {
  for (const std::string& word : tag_words(text)) add_tag(tags, word);
}

bool may_hold_tags(std::string_view lines) {
  const std::string text = fold(unescaped(lines));
  for (size_t at = text.find("tag"); at != std::string::npos; at = text.find("tag", at + 1))
    if (at == 0 || !ends_with_letter(std::string_view(text).substr(0, at))) return true;  // no weekday is one
  return text.contains("<<");
}

void add_words_as_tags(std::vector<std::string>& tags, std::string_view lines) {
  const std::string text = unescaped(lines);
  bool is_first = true;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = std::min(text.find_first_not_of(" \t\r\n,[]{}\"':;|()<>=&*!?%`\\#", at), text.size());
    at = std::min(text.find_first_of(" \t\r\n,[]{}\"':;|()<>=&*!?%`\\", begin), text.size());
    std::string_view word(text.data() + begin, at - begin);
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    const std::string name = std::exchange(is_first, false) ? fold(word) : std::string();
    if (name != "tags" && name != "tag") add_tag(tags, word);
  }
}

}  // namespace loci
