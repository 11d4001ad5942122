// In the texts of how many active entries of L1 each stem stands: what weighs words by how much they tell (context/similarity.h).
// Counted as entries come and go, because counting when asked would walk the list of every common word. Belongs to one connection;
// failures are the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "indexer/columns.h"
#include "indexer/sqlite.h"
#include "indexer/tokens.h"

namespace loci {

class StemTable {
 public:
  StemTable(Database& database, Tokenizer& tokenizer) : database_(database), tokenizer_(tokenizer) {}

  // An entry with this text and record comes to be there; is there no more. One that does not count changes nothing.
  void add(std::string_view text, const EntryColumns& entry) { count(text, entry, 1); }
  void remove(std::string_view text, const EntryColumns& entry) { count(text, entry, -1); }
  void flush();

 private:
  void count(std::string_view text, const EntryColumns& entry, int change);

  Database& database_;
  Tokenizer& tokenizer_;
  std::unordered_map<std::string, std::int64_t> changes_;  // since the last flush
};

std::uint64_t facts_with_stem(Database& database, std::string_view stem);

}  // namespace loci
