// Words that say how sure, or how wanted, something is. By tables for a few languages. Pure; any thread.
#pragma once

#include <string_view>

namespace loci {

struct Hedges {
  bool guesses = false;  // "might", "perhaps", "I think", "if"
  bool wishes = false;   // "want", "plan to", "would like"

  bool any() const { return guesses || wishes; }
};

Hedges hedges_in(std::string_view text);

}  // namespace loci
