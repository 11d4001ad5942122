// In how many rows each index term stands, and in the texts of how many active entries of L1 each stem: what weighs words by how
// much they tell (context/similarity.h), says which lists are long, and which words there are. Counted as rows come and go, because
// counting when asked would walk the list of every common word. FTS5's own pass over a new text gives the terms. Belongs to one
// connection; failures are the connection's.
#pragma once

#include <cstdint>
#include <future>
#include <string_view>

#include "indexer/sqlite.h"
#include "indexer/term_counts.h"
#include "indexer/tokens.h"

namespace loci {

class TermTable {
 public:
  // `building`: there is a lot to count, and a thread of its own does it.
  TermTable(Database& database, bool building)
      : database_(database), when_(building ? std::launch::async | std::launch::deferred : std::launch::deferred) {}

  // The terms of a row: begin(), then each token of its text and of its context, in any order. They stay until the next begin() or
  // flush().
  void begin();
  void take(const Token& token, bool is_of_text);

  // The row of these terms comes to be there (1), is there no more (-1); the same for an active entry of L1 in it.
  void count_row(int change);
  void count_fact(int change);

  void flush();

 private:
  // Counts what was recorded; whoever comes next with more waits for it.
  void hand_over();
  void wait();
  void write();

  Database& database_;
  const std::launch when_;  // the counting is done: beside the recording if there can be a thread, or when it is waited for
  TermRecord record_;
  TermCounts counts_;  // as long as counting_ goes on, that thread's
  std::future<void> counting_;
};

// The empty term stands in every row and every text.
std::uint64_t rows_with_term(Database& database, std::string_view term);
// Of the terms that begin so, that of the one that stands in most.
std::uint64_t rows_with_beginning(Database& database, std::string_view beginning);
std::uint64_t facts_with_stem(Database& database, std::string_view stem);

}  // namespace loci
