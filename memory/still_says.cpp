#include "memory/still_says.h"

#include <algorithm>
#include <set>

#include "base/unicode.h"
#include "recall/search.h"

namespace loci {
namespace {

// Runs of word characters, folded; a CJK character is a word of its own.
std::set<std::string> words_of(std::string_view text) {
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

}  // namespace

double shared_words(std::string_view text, std::string_view other) {
  const auto words = words_of(text);
  if (words.empty()) return 0;
  const auto others = words_of(other);
  const auto shared = std::ranges::count_if(words, [&](const std::string& word) { return others.contains(word); });
  return static_cast<double>(shared) / static_cast<double>(words.size());
}

Result<std::vector<Entry>> what_still_says(Memory& memory, std::string_view text) {
  // Only the words: what looks like a filter or an exclusion in a memory's text is neither.
  SearchQuery query;
  for (const std::string& word : words_of(text)) {
    if (query.terms.size() == max_query_terms) break;
    query.terms.push_back({word, false, false});
  }
  if (query.terms.empty()) return std::vector<Entry>{};
  SearchOptions options;
  options.limit = most_still_said;
  options.history = true;
  const auto found =
      TRY(memory.ask<SearchResult>([&](IndexReader& reader) { return search(reader, query, options, memory.now()); }));
  std::vector<Entry> entries;
  for (const Hit& hit : found.hits)
    if (shared_words(text, hit.entry.text) >= says_the_same) entries.push_back(hit.entry);
  return entries;
}

}  // namespace loci
