// The tokenizer "loci" of FTS5, over tokens.h. Texts that are indexed are tokenized; in a MATCH the input counts as index terms
// with blanks between them, as term_expression.h writes them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "indexer/sqlite.h"
#include "indexer/term_table.h"
#include "indexer/tokens.h"

namespace loci {

// What the tokenizer of one connection shares with its owner.
struct IndexTokenizer {
  static constexpr size_t columns = 2;

  Tokenizer tokenizer;
  // Tokens of each text column that was indexed since reset(), in the order of the columns; colocated ones not counted.
  std::array<std::uint32_t, columns> counts{};
  size_t texts = 0;
  TermTable* terms = nullptr;  // gets the tokens of the columns, if any

  void reset() {
    counts = {};
    texts = 0;
  }
};

// `shared` has to outlive every statement of the connection.
Status register_tokenizer(Database& database, IndexTokenizer& shared);

}  // namespace loci
