// The files that the index knows: their stat, and what it takes to read on where they grew.
// Belongs to one connection; failures are the connection's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexer/entry_store.h"
#include "indexer/reading_point.h"
#include "indexer/slots.h"
#include "indexer/sqlite.h"
#include "vault/layout/problem.h"
#include "vault/layout/scan.h"

namespace loci {

struct KnownFile {
  FileId id = 0;
  FileState state;
  std::int64_t indexed_at = 0;  // nanoseconds since 1970
  bool readable = true;         // false: its entries are as they were last read

  // A racy file may have changed all the same: only its hash can tell.
  bool looks_like(const FileState& now) const;
  bool may_have_changed_unseen() const;
};

struct FileDetails {
  std::uint64_t length = 0;  // bytes that were indexed
  std::uint64_t hash = 0;    // of them
  Layout layout;
  ReadingPoints points;
  std::vector<Problem> problems;
};

class FileTable {
 public:
  explicit FileTable(Database& database) : database_(database) {}

  std::vector<KnownFile> all();  // by path
  std::optional<KnownFile> find(const std::string& path);
  std::string path_of(FileId file);  // empty: no such file

  FileId add(const std::string& path);
  void set_state(FileId file, const FileState& state, std::int64_t indexed_at, bool readable);
  void remove(FileId file);

  Layout layout(FileId file);
  FileDetails details(FileId file);
  void set_details(FileId file, const FileDetails& details);

 private:
  Database& database_;
};

}  // namespace loci
