#include "recall/phrases.h"

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

bool separates_words(char32_t c) {
  const CharacterClass kind = classify(c);
  return kind == CharacterClass::space || (kind == CharacterClass::punctuation && c != U'*');
}

// Whether one of the words starts as the first of the phrase does. A question is asked once a process: to fold hundreds of phrases
// for it would take longer than to search.
bool may_contain(const Words& text, std::string_view phrase) {
  if (phrase.starts_with('*')) return true;
  std::string start;
  for (size_t position = 0; position < phrase.size();) {
    const char32_t c = decode_code_point(phrase, position);
    if (separates_words(c)) break;
    append_folded(start, c);
    if (std::ranges::none_of(text, [&](const std::string& word) { return word.starts_with(start); })) return false;
  }
  return true;
}

}  // namespace

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (size_t position = 0; position < text.size();) {
    const char32_t c = decode_code_point(text, position);
    if (separates_words(c)) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      append_folded(word, c);
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

bool contains_phrase(const Words& text, std::string_view phrase) {
  if (!may_contain(text, phrase)) return false;
  const Words wanted = words_of(phrase);
  const auto same = [](const std::string& word, const std::string& other) { return other == "*" || word == other; };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

}  // namespace loci
