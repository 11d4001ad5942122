// What stands in a query between two blanks -> the words that are looked for. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace loci {

struct QueryWord {
  std::string_view text;  // of the chunk
  bool spaced = true;     // of a script with blanks between words; else a run of CJK or one emoji
  size_t end = 0;         // where it ends in the chunk
};

// Words, identifiers whole ("foo_bar", "v1.2.3", "src/main.cpp", "me@example.org"), compounds in parts ("self-care"), runs of CJK
// of up to four characters, overlapping pairs of longer ones, emoji one by one.
std::vector<QueryWord> split_words(std::string_view chunk);

// "Caroline's" -> "Caroline", "l'histoire" -> "histoire"; "O'Brien" and "don't" stay.
std::string_view without_clitics(std::string_view word);

bool has_term_character(std::string_view text);

}  // namespace loci
