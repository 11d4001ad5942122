// One character of a text with its class and where it ends.
#pragma once

#include <string_view>

#include "base/unicode.h"

namespace loci {

struct CodePoint {
  char32_t value = U' ';
  CharacterClass kind = CharacterClass::space;
  size_t end = 0;
};

// A blank behind the end.
inline CodePoint code_point_at(std::string_view text, size_t position) {
  if (position >= text.size()) return {U' ', CharacterClass::space, text.size()};
  const char32_t value = decode_code_point(text, position);
  return {value, classify(value), position};
}

// Part of something that can be looked for.
inline bool is_term_character(CharacterClass kind) {
  return kind == CharacterClass::word || kind == CharacterClass::cjk || kind == CharacterClass::emoji;
}

}  // namespace loci
