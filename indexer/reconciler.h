// Makes the index equal to changed files, one after the other, each with the files that it takes entries from or leaves some to.
// The result is always that of reading all files from nothing, in the order of their claims (claim_order.h):
//   - an id belongs to the first entry, by file and line, whose metadata claims it; one of another file that says the same is one
//     more place of it; any other counts as text without metadata;
//   - text without metadata is one entry however often it stands in the vault; it is what its first place says.
// Works inside the caller's transaction; SQL failures are the connection's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "indexer/file_batch.h"
#include "indexer/indexer.h"

namespace loci {

class Reconciler {
 public:
  Reconciler(const Vault& vault, Database& database, EntryStore& entries, ReconcileReport& report);

  // `progress` is told after each file.
  void apply(FileBatch::Changes changes, const std::function<void()>& progress);
  // One file of a new index, already read; files have to come in the order of their claims.
  void add(const FileState& state, std::int64_t read_at, Reading reading);
  void add_unreadable(const FileState& state, const Error& error);

 private:
  void step(const std::string& path);
  void settle_unchanged(LoadedFile& file);

  void write_batch();
  void assign_claim(LoadedFile& file, Candidate& candidate);
  void assign_text(LoadedFile& file, Candidate& candidate);
  void put(RowId row, const LoadedFile& file, const Candidate& candidate);
  void drop_released();
  void settle_texts();
  using FirstPlaces = std::map<std::string, const Candidate*, ClaimOrder>;  // by path
  void settle_text(RowId row, const FirstPlaces& now);
  std::string first_other_place(RowId row);
  void write_slots(LoadedFile& file);
  void write_contested();
  bool is_contested(const std::string& id);
  void note_winner(const std::string& id);

  Database& database_;
  EntryStore& entries_;
  FileTable files_;
  SlotStore slots_;
  FileLoader loader_;
  FileBatch batch_;
  ReconcileReport& report_;

  std::unordered_map<std::string, RowId> assigned_;  // claims settled in this batch
  std::set<RowId> texts_;                            // rows of text without metadata whose places changed
  std::set<std::string> contested_;                  // ids that more than one entry claims, or did
};

}  // namespace loci
