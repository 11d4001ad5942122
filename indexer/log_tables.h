// The logs under .loci/ in the index: read on from where they grew, read anew when they changed otherwise. Answers what they
// say about an entry, and after an update, whom it concerns. Belongs to one connection; SQL failures are the connection's.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "indexer/sqlite.h"
#include "indexer/standing.h"
#include "vault/layout/problem.h"
#include "vault/layout/scan.h"

namespace loci {

// Whose standing may have changed.
struct Concerned {
  std::set<std::string> ids;     // entries with these ids, and those that rest on them
  std::set<std::string> hashes;  // entries with these texts
  std::set<std::string> homes;   // facts that were settled into these entries
};

class LogTables {
 public:
  // While an index is built, entries come after the facts that were settled into them: until finish_build() all count as standing.
  explicit LogTables(Database& database, bool building = false) : database_(database), building_(building) {}

  // The logs that differ from what is in the tables, by their stat; true: only by being racy, its bytes are the same.
  std::vector<std::pair<std::string, bool>> stale_logs(const Vault& vault, const std::vector<FileState>& logs);
  // Makes the tables equal to the files. `logs` are all that there are.
  Concerned update(const Vault& vault, const std::vector<FileState>& logs);

  LogFindings findings(const StoredEntry& entry);
  // Of all that the ledger names, what has no place.
  Concerned finish_build();
  // The facts that the ledger settles into `homes`, or into what was merged into them, become `ids`.
  void add_facts_of_homes(Concerned& concerned);
  std::vector<Problem> problems();

 private:
  struct KnownLog;

  std::vector<KnownLog> known_logs();
  void read_log(const Vault& vault, const FileState& log, const KnownLog* known, Concerned& concerned);
  void forget_lines(std::int64_t log, Concerned& concerned);
  void add_facts_of(std::optional<std::int64_t> generation, Concerned& concerned);
  void add(std::int64_t log, std::int64_t line, const std::string& host, const Tombstone& tombstone, Concerned& concerned);
  void add(std::int64_t log, std::int64_t line, const std::string& host, const LedgerEntry& entry, Concerned& concerned);

  bool has_tombstones();
  std::optional<std::int64_t> ledger_generation();
  // Which of the tombstones that carry a text's hash count.
  struct TextsThatEnd {
    bool of_corrections_too = true;
    std::optional<Instant> after = {};  // later ones only
  };

  std::optional<Tombstone> latest_of(const std::string& id);
  std::optional<Tombstone> end_of(const std::string& id);  // the latest of the id, if that removes
  std::optional<Tombstone> end_of_text(const std::string& hash, const std::string& loose, const TextsThatEnd& which);
  EntryFate fate_of(const std::string& entry);
  bool is_overruled(const std::string& fact);
  bool says_standing_fact(const StoredEntry& entry);

  Database& database_;
  bool building_;
  // Known until the next update: both are asked for with every entry.
  std::optional<bool> has_tombstones_;
  std::optional<std::optional<std::int64_t>> ledger_generation_;
};

// What stands in the two log folders: for an update that does not sweep the vault.
std::vector<FileState> log_files_of(const Vault& vault);

}  // namespace loci
