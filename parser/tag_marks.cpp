#include "parser/tag_marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>

#include "base/unicode.h"
#include "parser/code_parts.h"
#include "parser/comment_tags.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

struct Reference {
  std::string_view name;
  char32_t code_point;
};
// HTML's names of what a mark is made of, and of what is not shown.
constexpr std::array references{Reference{"num", '#'},    Reference{"lowbar", '_'},     Reference{"sol", '/'},
                                Reference{"hyphen", '-'}, Reference{"dash", '-'},       Reference{"shy", 0xAD},
                                Reference{"zwj", 0x200D}, Reference{"zwnj", 0x200C},    Reference{"lrm", 0x200E},
                                Reference{"rlm", 0x200F}, Reference{"NoBreak", 0x2060}, Reference{"ZeroWidthSpace", 0x200B}};
constexpr size_t longest_reference = 32;

constexpr std::string_view digits = "0123456789", hex_digits = "0123456789abcdefABCDEF";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::optional<char32_t> numbered(std::string_view number, int base) {
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), code, base);
  const bool is_code_point = error == std::errc() && code > 0 && code <= 0x10FFFF;
  return is_code_point ? std::optional(static_cast<char32_t>(code)) : std::nullopt;
}

std::optional<char32_t> named(std::string_view name) {
  const auto found = std::ranges::find(references, name, &Reference::name);
  return found == references.end() ? std::nullopt : std::optional(found->code_point);
}

// Of what is behind a &, which goes behind the entity if it is one of those that matter here. Its ; may be missing, as in HTML.
std::optional<char32_t> take_entity(std::string_view& text) {
  const bool is_number = text.starts_with('#'), is_hex = text.starts_with("#x") || text.starts_with("#X");
  const size_t begin = is_hex ? 2 : is_number ? 1 : 0;
  const std::string_view kind = is_hex ? hex_digits : is_number ? digits : letters;
  const std::string_view rest = text.substr(begin, longest_reference);
  const std::string_view name = rest.substr(0, rest.find_first_not_of(kind));
  const auto code_point = is_number ? numbered(name, is_hex ? 16 : 10) : named(name);
  if (!code_point) return std::nullopt;
  text.remove_prefix(begin + name.size());
  if (text.starts_with(';')) text.remove_prefix(1);
  return code_point;
}

// The code point at `position` as a reader of markdown sees it: that of an entity, and what an escape stands in front of.
char32_t decode_shown(std::string_view text, size_t& position) {
  if (text[position] == '&') {
    std::string_view behind = text.substr(position + 1);
    if (const auto code_point = take_entity(behind)) {
      position = text.size() - behind.size();
      return *code_point;
    }
  }
  if (text[position] == '\\' && position + 1 < text.size() && is_punctuation(static_cast<unsigned char>(text[position + 1])))
    ++position;
  return decode_code_point(text, position);
}

// The start of the code point in front of `position`, which is not 0.
size_t before(std::string_view text, size_t position) {
  do --position;
  while (position > 0 && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
  return position;
}

// Behind a letter, digit, or what stands on one. Scripts without blanks have their tags behind a letter, too.
bool is_inside_word(std::string_view text, size_t sign) {
  for (size_t position = sign; position > 0;) {
    size_t at = position = before(text, position);
    const char32_t c = decode_code_point(text, at);
    if (is_unseen(c)) return false;  // nobody sees that the word goes on
    const CharacterClass kind = classify(c);
    if (c != '\\' && kind != CharacterClass::mark) return kind == CharacterClass::word;
  }
  return false;
}

// Where the address that goes on up to `end` may begin: behind what is in none.
size_t address_begin(std::string_view text, size_t end) {
  while (end > 0) {
    const size_t in_front = before(text, end);
    size_t at = in_front;
    const char32_t c = decode_code_point(text, at);
    if (is_white_space(c) || is_unseen(c) || std::u32string_view(U"<>\"'`|#").contains(c)) break;
    end = in_front;
  }
  return end;
}

// A bracket belongs to an address that holds the one that opens it: "https://x/a_(b)/", and not "(see https://x/)".
bool has_balanced_brackets(std::string_view address) {
  std::string open;
  for (const char c : address) {
    if (c == '(' || c == '[' || c == '{') open += c;
    if (c != ')' && c != ']' && c != '}') continue;
    if (open.empty() || open.back() != (c == ')' ? '(' : c == ']' ? '[' : '{')) return false;
    open.pop_back();
  }
  return true;
}

// "http://x/#…", "…?a=#…": up to the sign an address, which may go on there.
bool is_anchor(std::string_view text, size_t sign) {
  constexpr std::string_view scheme_end = "://";
  if (sign == 0 || !std::string_view("/=?&").contains(text[sign - 1])) return false;
  const size_t begin = address_begin(text, sign);
  const std::string_view address = text.substr(begin, sign - begin);
  const size_t scheme = address.rfind(scheme_end, address.size() - 1);
  return scheme != std::string_view::npos && scheme + scheme_end.size() < address.size() &&
         has_balanced_brackets(address.substr(scheme));
}

// What the mark whose sign ends at `position` names, which moves behind it. "#[[a b]]" names "a".
std::string take_name(std::string_view text, size_t& position) {
  std::string name;
  for (size_t next = position; next < text.size(); position = next) {
    const char32_t c = decode_shown(text, next);
    if (is_tag_character(c))
      append_code_point(name, c);
    else if (is_number_sign(c) || classify(c) != CharacterClass::punctuation || !name_seen(name).empty())
      break;
  }
  return name;
}

// In a text also what is written without blanks ends a name: "#private🔒", "#private日記".
std::string_view in_one_script(std::string_view name) {
  size_t begin = 0, end = 0;
  CharacterClass script = CharacterClass::emoji;
  for (size_t at = 0; at < name.size();) {
    const size_t here = at;
    const CharacterClass kind = classify(decode_code_point(name, at));
    const bool is_letter = kind == CharacterClass::word || kind == CharacterClass::cjk;
    if (script == CharacterClass::emoji && is_letter) {
      begin = here;
      script = kind;
    } else if (script != CharacterClass::emoji && (kind == CharacterClass::emoji || (is_letter && kind != script))) {
      break;
    }
    end = at;
  }
  return name.substr(begin, end - begin);
}

// Calls take(sign, name) of each, until it says that it is done.
template <typename Take>
void walk(std::string_view text, MarksIn where, Take take) {
  constexpr std::string_view first_bytes = "#&\\\xEF";  // the wide signs begin with that byte
  size_t behind_mark = std::string_view::npos;          // "#a#b" are two
  for (size_t at = text.find_first_of(first_bytes); at < text.size(); at = text.find_first_of(first_bytes, at)) {
    const size_t sign = at;
    if (!is_number_sign(decode_shown(text, at))) continue;
    const bool is_in_prose = sign == behind_mark || (!is_inside_word(text, sign) && !is_anchor(text, sign));
    if (where == MarksIn::prose && !is_in_prose) continue;
    const std::string name = take_name(text, at);
    behind_mark = at;
    if (!name.empty() && take(sign, name)) return;
  }
}

bool is_number(std::string_view name) { return name.find_first_not_of("0123456789/") == std::string_view::npos; }

// Behind the comment or tag of HTML that begins there; where it begins if none does. "<!-->" is a whole comment to markdown, and
// one that goes on to a person.
size_t behind_html(std::string_view text, size_t begin) {
  constexpr std::string_view comment_start = "<!--", comment_end = "-->";
  if (text.substr(begin).starts_with(comment_start)) {
    const size_t end = text.find(comment_end, begin + comment_start.size());
    return end == std::string_view::npos ? text.size() : end + comment_end.size();
  }
  const size_t name = text.substr(begin + 1).starts_with('/') ? begin + 2 : begin + 1;
  const size_t behind_name = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", name);
  if (behind_name == std::string_view::npos || behind_name == name || !std::string_view(" \t\r\n/>").contains(text[behind_name]))
    return begin;
  const size_t end = text.find('>', behind_name);
  return end == std::string_view::npos ? begin : end + 1;
}

}  // namespace

bool has_mark(std::string_view text, MarksIn where, const std::function<bool(std::string_view name)>& is_meant) {
  bool has = false;
  std::optional<CodeParts> code;
  const auto counts = [&](size_t offset) {
    if (where == MarksIn::prose && !code) code.emplace(text);
    return !code || !code->has(offset);
  };
  walk(text, where, [&](size_t sign, const std::string& name) {
    return has = (is_meant(name) || is_meant(in_one_script(name))) && counts(sign);
  });
  if (has || where != MarksIn::prose) return has;
  return std::ranges::any_of(tagged_comments(text), [&](const TaggedComment& comment) {
    return std::ranges::any_of(comment.tags, is_meant) && counts(comment.begin);
  });
}

std::vector<std::string> marks_in_prose(std::string_view text) {
  std::vector<std::string> names;
  std::optional<CodeParts> code;
  const auto counts = [&](size_t offset) {
    if (!code) code.emplace(text);
    return !code->has(offset);
  };
  walk(text, MarksIn::prose, [&](size_t sign, const std::string& name) {
    if (counts(sign)) names.push_back(name.substr(0, name.find_last_not_of('-') + 1));  // "#a-->"
    return false;
  });
  for (const TaggedComment& comment : tagged_comments(text))
    if (counts(comment.begin)) std::ranges::copy(comment.tags, std::back_inserter(names));
  return names;
}

std::vector<std::string> marked_tags(std::string_view text) {
  std::vector<std::string> names = marks_in_prose(text);
  std::erase_if(names, is_number);
  return names;
}

bool says_something(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '<') {
      const size_t behind = behind_html(text, at);
      at = std::max(behind, at + 1);
      continue;
    }
    const char32_t c = decode_shown(text, at);
    const bool is_tag = is_number_sign(c) && !is_number(take_name(text, at));
    const CharacterClass kind = classify(c);
    if (!is_tag && (kind == CharacterClass::word || kind == CharacterClass::cjk)) return true;
  }
  return false;
}

bool says_only_tags(std::string_view text) {
  return !says_something(text) && (text.contains("<!--") || !marked_tags(text).empty());
}

}  // namespace loci
