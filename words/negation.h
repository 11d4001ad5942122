// Whether a text says "not", and whether it says that something ended. By tables for the languages that libstemmer knows, and some
// more. Pure; any thread; never fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words/writing.h"

namespace loci {

struct Negation {
  bool denies = false;             // "not", "never", "kein", "ne … pas", "不"
  bool in_each_part = false;       // in every sentence, if there are several
  std::vector<std::string> turns;  // "no longer", "quit", "until", "avoids": what may stand for a "not", and needs none
};

Negation negation_in(const std::vector<WrittenWord>& words, std::string_view language);

// Is what the one denies said without a "not", and with no other word that turns it than the one has too?
bool loses_negation(const Negation& from, const Negation& to);

// By word: what a contrast names as wrong or former: "Jon" in "John, not Jon", "not Jon but John", "John instead of Jon", "Jon was
// never his name; it is John".
std::vector<bool> named_as_wrong(const std::vector<WrittenWord>& words, std::string_view language);
// Is every "not" of the text part of such a contrast?
bool denies_only_in_contrast(const std::vector<WrittenWord>& words, std::string_view language);

}  // namespace loci
