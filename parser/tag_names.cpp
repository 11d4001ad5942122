#include "parser/tag_names.h"

#include <algorithm>
#include <iterator>

#include "base/unicode.h"

namespace loci {
namespace {

std::string folded(char32_t c) {
  std::string out;
  append_folded(out, c);
  return out;
}

// Between the items of a list, in any script.
bool separates_items(char32_t c) {
  constexpr std::u32string_view marks = U",;|\u3001\u060C\u061B\n\r\u2028\u2029";
  const std::string plain = folded(c);
  size_t position = 0;
  return !plain.empty() && marks.contains(decode_code_point(plain, position)) && position == plain.size();
}

bool separates_words(char32_t c) { return is_white_space(c) || separates_items(c); }

// The parts of a text between code points that separate, none of them empty.
template <typename Separates>
std::vector<std::string_view> split(std::string_view text, Separates separates) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t here = at;
    if (!separates(decode_code_point(text, at))) continue;
    if (here > begin) parts.push_back(text.substr(begin, here - begin));
    begin = at;
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

// Without the code points at its ends that count as nothing there.
template <typename InFront, typename Behind>
std::string_view trimmed(std::string_view text, InFront in_front, Behind behind) {
  for (size_t at = 0; !text.empty() && in_front(decode_code_point(text, at)); at = 0) text.remove_prefix(at);
  size_t end = 0;
  for (size_t at = 0; at < text.size();)
    if (!behind(decode_code_point(text, at))) end = at;
  return text.substr(0, end);
}

bool is_inside_names(char32_t c) { return c == '_' || c == '-'; }
bool is_nothing_in_front(char32_t c) { return is_white_space(c) || (is_punctuation(c) && !is_inside_names(c)); }
bool is_nothing_behind(char32_t c) { return is_nothing_in_front(c) && !is_number_sign(c); }
bool is_punctuation_or_blank(char32_t c) { return is_white_space(c) || is_punctuation(c); }

std::string with_blanks_for_unseen(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t here = at;
    if (is_unseen(decode_code_point(text, at)))
      out += ' ';
    else
      out += text.substr(here, at - here);
  }
  return out;
}

void add(std::vector<std::string>& names, std::string name) {
  if (!name.empty()) names.push_back(std::move(name));
}

std::vector<std::string> without_repeated(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

void add_names(std::vector<std::string>& names, std::string_view written) {
  for (const std::string_view item : split(written, separates_items)) {
    add(names, tag_name(item));
    for (const std::string_view word : split(item, is_white_space)) add(names, tag_name(word));
  }
}

void add_readings(std::vector<std::string>& names, std::string_view written) {
  add_names(names, written);
  const std::string seen = name_seen(written);
  for (const std::string_view part : split(seen, [](char32_t c) { return !is_tag_character(c); })) {
    names.emplace_back(part);
    add(names, std::string(trimmed(part, is_punctuation_or_blank, is_punctuation_or_blank)));
  }
}

}  // namespace

bool is_number_sign(char32_t c) { return c == '#' || (c > 0x7F && folded(c) == "#"); }

bool is_tag_character(char32_t c) {
  if (c == '_' || c == '-' || c == '/' || is_unseen(c)) return true;
  const CharacterClass kind = classify(c);
  return kind == CharacterClass::word || kind == CharacterClass::mark || kind == CharacterClass::cjk ||
         kind == CharacterClass::emoji;
}

std::string name_seen(std::string_view written) {
  std::string shown;
  for (size_t at = 0; at < written.size();)
    if (const char32_t c = decode_code_point(written, at); is_white_space(c))
      shown += ' ';
    else if (!is_unseen(c))
      append_folded(shown, c);  // of some marks, a blank and what stood on it
  std::string seen;
  for (const std::string_view word : split(shown, is_white_space)) seen += (seen.empty() ? "" : " ") + std::string(word);
  return seen;
}

std::string tag_name(std::string_view written) {
  const std::string seen = name_seen(written);
  return std::string(trimmed(seen, is_nothing_in_front, is_nothing_behind));
}

std::vector<std::string> tag_words(std::string_view written) {
  std::vector<std::string> words;
  const auto is_in_front = [](char32_t c) { return is_number_sign(c) || is_unseen(c); };
  for (const std::string_view word : split(written, separates_words))
    add(words, std::string(trimmed(word, is_in_front, [](char32_t) { return false; })));
  return words;
}

std::vector<std::string> tag_items(std::string_view written) {
  std::vector<std::string> items;
  for (const std::string_view item : split(written, separates_items)) add(items, tag_name(item));
  return items;
}

std::vector<std::string> tag_names(std::string_view written) {
  std::vector<std::string> names;
  add_names(names, written);
  return without_repeated(std::move(names));
}

std::vector<std::string> tag_readings(std::string_view written) {
  std::vector<std::string> names;
  add_readings(names, written);
  const std::string apart = with_blanks_for_unseen(written);
  if (apart != written) add_readings(names, apart);
  return without_repeated(std::move(names));
}

}  // namespace loci
