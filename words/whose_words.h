// Whose words a fact is in, that a model or an agent took out of a conversation. A fact is the user's only if it names words that
// the user said, and says what their sentences say: their values, names, negations and hedges, and nothing that comes from nowhere.
// By words, like wording.h; in doubt it is not the user's. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "words/text_words.h"

namespace loci {

enum class Whose : std::uint8_t { anothers, users, users_correction };

struct QuotedFact {
  std::string_view text;
  std::string_view quote;  // copied from what the user said
};

// What was said where the quote comes from.
struct QuotedPlace {
  std::string_view user;       // one text of the user's, by a road that counts
  std::string_view before;     // the turn before it, which other words may come from; may be empty
  std::string_view corrected;  // the known fact that this one says it corrects, likewise
  std::string day;             // "2026-11-20": what a relative time is reckoned from
};

Whose whose_words(WordReader& reader, const QuotedFact& fact, const QuotedPlace& said);

// The sentences in which the quote stands (case and white space aside), without questions, code and what is quoted itself; empty if
// it stands in none, or in a question.
std::string sentences_with(std::string_view said, std::string_view quote);

}  // namespace loci
