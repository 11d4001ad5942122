#include "parser/shared_words.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {

// Runs of word characters, folded; a CJK character is a word of its own.
std::set<std::string> folded_words(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.insert(std::exchange(word, {}));
  };
  size_t position = 0;
  while (position < text.size()) {
    const char32_t c = decode_code_point(text, position);
    const CharacterClass kind = classify(c);
    if (kind == CharacterClass::cjk) finish();
    if (kind == CharacterClass::word || kind == CharacterClass::mark || kind == CharacterClass::cjk) append_folded(word, c);
    if (kind != CharacterClass::word && kind != CharacterClass::mark) finish();
  }
  finish();
  return words;
}

double shared_words(std::string_view text, std::string_view other) {
  const auto words = folded_words(text);
  if (words.empty()) return 0;
  const auto others = folded_words(other);
  const auto shared = std::ranges::count_if(words, [&](const std::string& word) { return others.contains(word); });
  return static_cast<double>(shared) / static_cast<double>(words.size());
}

}  // namespace loci
