// Words that say how sure, or how wanted, something is. By tables for the languages that memories are mostly written in. Pure; any
// thread.
#pragma once

#include <string_view>
#include <vector>

#include "words/writing.h"

namespace loci {

struct Hedges {
  bool guesses = false;     // "might", "perhaps", "I think", "seems"
  bool wishes = false;      // "want", "plan to", "would like"
  bool intends = false;     // "will", "going to": it may stand for a wish, and is none
  bool conditions = false;  // "if", "unless"
  bool can = false;         // "can", "be able to": told later it is "could", and no guess
  bool only_could = false;  // the words that guess are those alone

  bool any() const { return guesses || wishes || conditions; }
};

Hedges hedges_in(std::string_view text);
Hedges hedges_in(const std::vector<WrittenWord>& words, std::string_view language);

}  // namespace loci
