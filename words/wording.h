// Whether a text still says what another one said. Words are compared by stem and irregular forms, in any order; no meaning is
// understood. These rules guard against what a careless or deceived model does to a memory (a value lost, a number made up, a "not"
// dropped), and err on the side of refusing. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "words/text_words.h"

namespace loci {

// Content words of the old text that the new one does not account for, in order. A word is accounted for if the new text has it: of
// something that was the case, in a clause without "not" or in a text that tells of the past ("no longer at Google"); of something
// that was not, in a text with a "not". Frame words may go ("works", "currently"), unless the old text has no other.
std::vector<std::string> dropped_words(WordReader& reader, const TextWords& old_text, const TextWords& new_text);

// Does the one text deny what the other says? "Is not a vegetarian", "is a vegetarian". Of a clause with "not" at least half of the
// words, frame words aside, stand in the other text, and none of them behind a "not".
bool denies(const TextWords& text, const TextWords& said);

// What a text may take its values from.
struct Sources {
  std::vector<TextWords> texts;
  std::vector<std::string> days;       // "2026-11-21", of facts and entries
  std::vector<std::string> fact_days;  // of facts: what a relative time in them is reckoned from
};

// Numbers, names, dates and parts of identifiers of `text` that stand in no source. Dates may also be days of the sources; and, if
// a source has a relative time ("yesterday", "next week"), any date within a year of its day. "two" and 2 are the same, so are
// "20th" and 20. A number is known as a whole ("0.5", "-18"), in its unit, and beside a word that it stands beside in the source. A
// capital at the beginning of a sentence is a name too, unless the word stands in a source or looks like a verb.
std::vector<std::string> invented_values(WordReader& reader, const TextWords& text, const Sources& sources);

// "yesterday", "next week": folded.
bool is_relative_time(std::string_view word);

// How much of `said` stands in `text`.
struct Coverage {
  size_t words = 0, words_found = 0;    // content words
  size_t values = 0, values_found = 0;  // of them, values that `said` does not deny

  bool has_a_word() const { return words == 0 || words_found > 0; }
  bool has_a_trace() const { return has_a_word() && (values == 0 || values_found > 0); }
  bool has_all_values() const { return (words == 0 || words_found > 0) && values == values_found; }
};
Coverage coverage(WordReader& reader, const TextWords& said, const TextWords& text);

}  // namespace loci
