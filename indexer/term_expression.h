// One term of a person's query -> an FTS5 expression that cannot be a syntax error. Pure but for the tokenizer's memo.
//
// Inside a MATCH the tokenizer takes its input for index terms with blanks between them, so what stands in an expression here
// is exactly what is looked up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/tokens.h"

namespace loci {

// The FTS5 query of one term of a person's query, and how many phrases it has: they are joined by OR, and FTS5 numbers phrases
// from the left. No phrases: nothing in it can be found.
struct TermExpression {
  std::string text;
  size_t phrases = 0;
};

enum class TermKind : std::uint8_t {
  word,    // its tokens next to each other; of more than four CJK characters in a row, each pair by itself
  phrase,  // all its tokens next to each other
  prefix,  // as a phrase, the last token being the beginning of a word or of a stem
};
TermExpression expression_for(Tokenizer& tokenizer, std::string_view term, TermKind kind);

// "foo" -> "\"foo\"", with quotes doubled and NUL dropped.
std::string quote_phrase(std::string_view term);

// The phrases of an expression that such ones were joined to by " OR ", as they stand in it; none if it is something else.
std::vector<std::string> split_phrases(std::string_view expression);

}  // namespace loci
