// Whose words the text of an operation is in: of all that it is made from, what does it rest on, and so which trust does it have?
// Pure.
#pragma once

#include <string>
#include <vector>

#include "consolidate/decide/material.h"
#include "consolidate/decide/operations.h"
#include "words/statement.h"
#include "words/text_words.h"

namespace loci {

class TextBasis {
 public:
  explicit TextBasis(const Material& material) : material_(material) {}  // which outlives it

  bool rests_on(const Operation& operation, const Fact& fact);
  // The entry that the operation rewrites.
  bool rests_on(const Operation& operation, const DurableEntry& target);

 private:
  std::vector<const std::string*> texts_above(const Operation& operation, Source source) const;
  bool has_much_of(const Operation& operation, const std::string& less, Source source, bool is_entry);

  const Material& material_;
  WordReader reader_;
};

}  // namespace loci
