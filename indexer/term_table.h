// In how many rows each index term stands, and in the texts of how many active entries of L1 each stem: what weighs words by how
// much they tell (context/similarity.h), says which lists are long, and which words there are. Counted as rows come and go, because
// counting when asked would walk the list of every common word. FTS5's own pass over a new text gives the terms. Belongs to one
// connection; failures are the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "indexer/sqlite.h"
#include "indexer/tokens.h"

namespace loci {

class TermTable {
 public:
  explicit TermTable(Database& database) : database_(database) {}

  // The terms of a row: begin(), then each token of its text and of its context, in any order. They stay until the next begin().
  void begin();
  void take(const Token& token, bool is_of_text);

  // The row of these terms comes to be there (1), is there no more (-1); the same for an active entry of L1 in it.
  void count_row(int change);
  void count_fact(int change);

  void flush();

 private:
  struct Count {
    std::int64_t rows = 0, facts = 0;
    std::uint64_t row = 0;  // the number of the row that had it last
    size_t place = 0;       // there
  };
  struct TermOfRow {
    Count* count;
    bool is_stem_of_text;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
  };

  Database& database_;
  std::unordered_map<std::string, Count, Hash, std::equal_to<>> changes_;  // since the last flush
  std::vector<TermOfRow> terms_;                                           // of the row at hand
  std::uint64_t row_ = 0;
};

// The empty term stands in every row and every text.
std::uint64_t rows_with_term(Database& database, std::string_view term);
std::uint64_t facts_with_stem(Database& database, std::string_view stem);

}  // namespace loci
