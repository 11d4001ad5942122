// The fixed-size record of every entry, in pages of 256 rows: what scoring, filters and neighbours need, so that a query
// with 90,000 matches reads some hundred blobs. Whoever asks again over a later snapshot reads those that were written since
// (written_pages.h). Belongs to one connection; failures are the connection's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "indexer/index_reader.h"
#include "indexer/sqlite.h"
#include "indexer/written_pages.h"

namespace loci {

struct ColumnRecord {
  EntryColumns entry;
  Place place = Place::note;
  bool exists = false;
  bool quarantined = false;  // pending, and consolidation gave up on it
  std::uint16_t day = 0;     // since 1970, of the file's name, else of `at`; 0: none

  bool is_turn() const { return entry.thread != 0; }
};

// As it lies in the database, and in memory. With 32 bytes, a page of records and its seal leave next to nothing of SQLite's pages
// unused.
class PackedRecord {
 public:
  PackedRecord() = default;
  explicit PackedRecord(const ColumnRecord& record);

  bool exists() const { return exists_; }
  EntryColumns entry() const;
  ColumnRecord record() const;

 private:
  std::int64_t at_ = 0;
  std::uint32_t text_length_ = 0, thread_ = 0, previous_ = 0, next_ = 0;
  std::uint16_t context_length_ = 0, day_ = 0;
  std::uint16_t layer_ : 2 = 0, kind_ : 2 = 0, source_ : 2 = 0, place_ : 3 = 0, exists_ : 1 = 0, active_ : 1 = 0, pending_ : 1 = 0,
                         quarantined_ : 1 = 0, unused_ : 3 = 0;
  std::uint16_t speaker_ : 2 = 0, asks_ : 1 = 0, first_person_ : 1 = 0, number_ : 1 = 0, time_ : 1 = 0, unused_too_ : 10 = 0;
};
static_assert(sizeof(PackedRecord) == 32 && std::is_trivially_copyable_v<PackedRecord>);

class ColumnPages {
 public:
  static constexpr RowId rows_per_page = 256;
  static constexpr size_t most_taken_over = 512;  // pages, of 8 KB

  explicit ColumnPages(Database& database) : database_(database) {}
  // Begins with what was read of an earlier snapshot on the same connection, as far as it is still so. The other one is empty then.
  void take_over(ColumnPages& earlier);
  size_t pages_in_memory() const { return pages_.size(); }

  // A record that says "does not exist" for any other row.
  ColumnRecord read(RowId row) {
    const auto* page = find_page(row / rows_per_page);
    return page != nullptr ? page->records[row % rows_per_page].record() : ColumnRecord{};
  }
  EntryColumns entry(RowId row) {
    const auto* page = find_page(row / rows_per_page);
    return page != nullptr ? page->records[row % rows_per_page].entry() : EntryColumns{};
  }
  // What `change` makes of the record: flush() writes it.
  template <typename Change>
  void write(RowId row, Change change) {
    ColumnRecord record = read(row);
    change(record);
    write_record(row, record);
  }
  void flush();

  // Every row that exists, in order.
  template <typename Visitor>
  void for_each(Visitor visit) {
    for (const RowId number : page_numbers())
      if (const auto* page = find_page(number))
        for (RowId i = 0; i < rows_per_page; ++i)
          if (page->records[i].exists()) visit(number * rows_per_page + i, page->records[i].record());
  }

 private:
  struct Page {
    std::array<PackedRecord, rows_per_page> records;
    bool changed = false;
  };

  // Null if there is no such page: nothing is kept for rows that a damaged index makes up.
  Page* find_page(RowId number) { return last_page_ != nullptr && number == last_number_ ? last_page_ : look_for_page(number); }
  Page* look_for_page(RowId number);
  void meet_snapshot();
  void write_record(RowId row, const ColumnRecord& record);
  std::vector<RowId> page_numbers();

  Database& database_;
  std::unordered_map<RowId, std::unique_ptr<Page>> pages_;  // none goes while the snapshot is the same
  std::optional<WrittenPages> written_;                     // as the snapshot says, once anything was read of it
  std::optional<std::uint64_t> taken_over_at_;              // pages_ are as they were behind so many commits
  // What was asked for last: matches come in the order of their rows.
  RowId last_number_ = 0;
  Page* last_page_ = nullptr;
};

inline EntryColumns PackedRecord::entry() const {
  EntryColumns entry;
  entry.at = at_;
  entry.text_length = text_length_;
  entry.context_length = context_length_;
  entry.thread = thread_;
  entry.previous = previous_;
  entry.next = next_;
  entry.layer = static_cast<Layer>(layer_);
  entry.kind = static_cast<EntryKind>(kind_);
  entry.source = static_cast<Source>(source_);
  entry.active = active_;
  entry.pending = pending_;
  entry.speaker = static_cast<Speaker>(speaker_);
  entry.traits = {asks_ != 0, first_person_ != 0, number_ != 0, time_ != 0};
  return entry;
}

inline ColumnRecord PackedRecord::record() const {
  ColumnRecord record;
  record.entry = entry();
  record.place = static_cast<Place>(place_);
  record.exists = exists_;
  record.quarantined = quarantined_;
  record.day = day_;
  return record;
}

}  // namespace loci
