// The changed files that have to be settled together: a file, those that it takes ids from, and those that inherit what it gives
// up. Reads files and the index, writes nothing. SQL failures are the connection's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "indexer/claim_order.h"
#include "indexer/file_load.h"
#include "indexer/indexer.h"

namespace loci {

class FileBatch {
 public:
  // Files by path with their present state; none: gone.
  using Changes = std::map<std::string, std::optional<FileState>>;
  using Files = std::map<std::string, LoadedFile, ClaimOrder>;

  FileBatch(const Vault& vault, Database& database, EntryStore& entries, FileTable& files, FileLoader& loader,
            ReconcileReport& report)
      : vault_(vault), database_(database), entries_(entries), file_table_(files), loader_(loader), report_(report) {}

  // What is still to be settled. What a batch takes in is taken out.
  Changes pending;

  // Starts with this file. False: there is nothing to settle, its entries stay as they are; it is then the only one.
  bool gather(const std::string& path);
  // A batch of this one file, of which nothing is known yet.
  void take(LoadedFile file);
  void clear();

  // By path, in the order of their claims.
  Files& files() { return files_; }
  LoadedFile* find(const std::string& path);
  // Rows that some place in the batch gave up. Others may have them still.
  const std::unordered_set<RowId>& released() const { return released_; }
  // The file where it stands first is one that gave it up.
  bool is_free(RowId row) const { return free_.contains(row); }

 private:
  LoadedFile load(const std::string& path, bool whole);
  bool enlarge(const std::string& path);
  void read_whole(LoadedFile& file);
  bool gather_once();
  bool gather_holder(const LoadedFile& file, const Candidate& candidate);
  bool gather_claimants(const std::string& id);
  bool gather_heir(const LoadedFile& file, RowId row);
  void find_released();

  const Vault& vault_;
  Database& database_;
  EntryStore& entries_;
  FileTable& file_table_;
  FileLoader& loader_;
  ReconcileReport& report_;
  Files files_;
  std::unordered_set<RowId> released_, free_;
};

}  // namespace loci
