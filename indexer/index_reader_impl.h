// What an IndexReader is made of; for its sources and for find_stale() only.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "indexer/columns.h"
#include "indexer/entry_store.h"
#include "indexer/file_table.h"
#include "indexer/index_reader.h"
#include "indexer/kept_lists.h"
#include "indexer/log_tables.h"
#include "indexer/schema.h"
#include "indexer/slots.h"

namespace loci {

struct IndexReader::Impl {
  Impl(IndexConnection connection, Generation opened)
      : index(std::move(connection)),
        generation(std::move(opened)),
        columns(index.database),
        files(index.database),
        slots(index.database),
        logs(index.database),
        snapshot(std::in_place, index.database, Transaction::Kind::read) {}

  // The snapshot begins with the first read.
  bool begins_to_read() {
    Query(index.database, "SELECT 1 FROM about LIMIT 1").next();
    return !index.database.failed();
  }

  // The places of a file's entries, decoded once.
  struct FilePlaces {
    std::string path;
    std::vector<Slot> slots;
    std::vector<std::pair<RowId, std::uint32_t>> by_row;  // row and number of the slot, sorted
  };
  const FilePlaces& places_of(FileId file);
  std::vector<EntryPlace> places_of_entry(RowId row, FileId first);
  std::string text_hash_at(FileId file, int line);  // of the entry there, packed; empty: none begins there

  Result<Entry> entry(RowId row);
  std::vector<Entry> entries_of(const std::vector<RowId>& rows);

  bool passes(const ColumnRecord& record, const EntryFilter& filter) const;
  // The rows that have all labels, the session and the file that a filter names, sorted; none: it names nothing of that sort.
  std::optional<std::vector<RowId>> rows_named(const EntryFilter& filter);

  // The result of a function that reads: `value`, unless the connection failed since it was last asked.
  template <typename T>
  Result<T> checked(T value) {
    TRY(index.database.take_status());
    return value;
  }

  IndexConnection index;
  Generation generation;
  ColumnPages columns;
  FileTable files;
  SlotStore slots;
  LogTables logs;
  std::optional<Transaction> snapshot;  // none once it was let go
  std::unordered_map<FileId, FilePlaces> places;
  KeptLists kept_lists;
};

}  // namespace loci
