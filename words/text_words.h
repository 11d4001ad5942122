// What a text says, word by word, as far as code can tell: enough to notice that a value was lost, made up or turned into its
// opposite, and to find texts that may be about the same. Words are the index's own (indexer/tokens.h); function words are left
// out. One WordReader belongs to one thread. Never fails.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "indexer/tokens.h"

namespace loci {

struct TextWord {
  std::string folded;             // lower case, no diacritics
  std::string stem;               // English; of "two" it is "2"
  std::string date;               // "2026-11-20" or "2026-11", on each word that is a part of one
  size_t clause = 0;              // rising; a clause ends at punctuation, a line end, "and" and "but"
  std::string number;             // on the first word of one, as a whole: "-18", "0.5", "8:30"; of "thirteen" it is "13"
  std::string unit;               // of that number, in one spelling: "mg", "%", "euro"
  bool is_value = false;          // a number, a name (a capital inside a sentence) or a part of an identifier: it means one thing
  bool may_be_name = false;       // a capital at the beginning of a sentence, on a word that does not look like a verb
  bool continues_number = false;  // the 5 of 0.5
  bool is_denied = false;         // a "not" stands before it in its clause, or at the end of it
};

struct TextWords {
  std::vector<TextWord> words;
  bool denies = false;         // there is a "not" somewhere
  bool tells_of_past = false;  // "previously", "no longer", "until", …
};

// Of a text that is read: what it is about stands in its beginning, and no text may cost seconds.
inline constexpr size_t longest_read = size_t{64} << 10;  // bytes

using Stems = std::unordered_set<std::string>;  // of words that stand somewhere
Stems stems_of(const TextWords& text);

class WordReader {
 public:
  TextWords read(std::string_view text);
  // Does a word mean the same as one of these stems? Irregular forms count: "drove" and "drives".
  bool is_among(const TextWord& word, const Stems& stems) {
    if (stems.contains(word.stem)) return true;
    for (const std::string& form : stems_of_other_forms(word.folded))
      if (stems.contains(form)) return true;
    return false;
  }

 private:
  std::vector<std::string> stems_of_other_forms(std::string_view folded);

  Tokenizer tokenizer_;
};

// Words that say how something is the case, not what: "works", "likes", "currently". They may go when a text is worded anew.
bool is_frame_word(const TextWord& word);

// Words that a text about the same is built with: "moved", "since", "previously", "owns".
bool builds_sentence(const TextWord& word);

}  // namespace loci
