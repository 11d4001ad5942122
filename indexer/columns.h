// The fixed-size record of every entry, in pages of 256 rows: what scoring, filters and neighbours need, so that a query
// with 90,000 matches reads some hundred blobs. Belongs to one connection; failures are the connection's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "indexer/index_reader.h"
#include "indexer/sqlite.h"

namespace loci {

struct ColumnRecord {
  EntryColumns entry;
  Place place = Place::note;
  bool exists = false;
  bool quarantined = false;  // pending, and consolidation gave up on it
  std::uint16_t day = 0;     // since 1970, of the file's name, else of `at`; 0: none

  bool is_turn() const { return entry.thread != 0; }
};

class ColumnPages {
 public:
  static constexpr RowId rows_per_page = 256;

  explicit ColumnPages(Database& database) : database_(database) {}

  // A record that says "does not exist" for any other row. Valid as long as this object.
  const ColumnRecord& read(RowId row);
  // Marks its page as changed: flush() writes it.
  ColumnRecord& write(RowId row);
  void flush();

  // Every row that exists, in order.
  template <typename Visitor>
  void for_each(Visitor visit) {
    for (const RowId number : page_numbers())
      if (const auto* page = find_page(number))
        for (RowId i = 0; i < rows_per_page; ++i)
          if (page->records[i].exists) visit(number * rows_per_page + i, page->records[i]);
  }

 private:
  struct Page {
    std::array<ColumnRecord, rows_per_page> records{};
    bool changed = false;
  };

  // Null if there is no such page: nothing is kept for rows that a damaged index makes up.
  Page* find_page(RowId number);
  std::vector<RowId> page_numbers();

  Database& database_;
  std::unordered_map<RowId, std::unique_ptr<Page>> pages_;  // none ever goes
  // What was asked for last: matches come in the order of their rows.
  RowId last_number_ = 0;
  Page* last_page_ = nullptr;
};

}  // namespace loci
