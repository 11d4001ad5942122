// The entries that a search has read: each is read once.
#pragma once

#include <unordered_map>
#include <utility>

#include "indexer/index_reader.h"

namespace loci {

class ReadEntries {
 public:
  explicit ReadEntries(IndexReader& reader) : reader_(reader) {}

  // Stays where it is as long as this lives.
  Result<const Entry*> of(RowId row) {
    if (const auto known = entries_.find(row); known != entries_.end()) return &known->second;
    auto read = TRY(reader_.entry(row));
    return &entries_.emplace(row, std::move(read)).first->second;
  }

 private:
  IndexReader& reader_;
  std::unordered_map<RowId, Entry> entries_;
};

}  // namespace loci
