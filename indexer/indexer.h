// Keeping the index equal to the files: a sweep by stat, a hash, a parse, and writes for what changed and nothing else.
// The only writer of the index; whoever owns one holds the writer lock, which is on the state folder. One thread.
//
// The index lives in the state folder as index.<generation>.db. It is derived: another schema number or any sign of damage
// and the next generation is built beside it and swapped in by deleting the old. Never migrated.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/process_lock.h"
#include "base/result.h"
#include "indexer/index_reader.h"
#include "vault/layout/scan.h"
#include "vault/layout/vault.h"

namespace loci {

// Asked about each file that changed: one that must not be looked at yet, because an editor may be in the middle of saving it,
// stays as the index has it.
using HoldBack = std::function<bool(const std::string& path)>;

struct ReconcileReport {
  size_t files_seen = 0, files_read = 0, files_changed = 0, files_removed = 0;
  size_t files_unreadable = 0;  // of those that were to be read; they keep their entries and are tried again by a later sweep
  size_t entries_added = 0, entries_changed = 0, entries_removed = 0;
  std::vector<std::string> found;  // files and logs that were new, changed or gone, and were looked at; empty if rebuilt
  bool rebuilt = false;
  std::string rebuild_reason;  // "no index yet", "schema 3, this program writes 4", "damaged: …", "asked for"
};

struct Progress {
  std::string what;            // "indexing"
  size_t done = 0, total = 0;  // files
};
using ProgressCallback = std::function<void(const Progress&)>;

// What the index does not know yet.
struct Staleness {
  std::vector<std::string> changed;  // files and logs that are new, changed or gone
  // Files that were modified too shortly before they were indexed to be told by their times: their bytes were compared, and are
  // the same. A reconcile settles that; until then every sweep has to read them.
  bool unconfirmed = false;
};

class Indexer {
 public:
  // Takes the writer lock (waiting at most `patience`; ErrorCode::locked), opens the newest usable generation or starts a new one.
  // `vault` has to outlive it.
  static Result<Indexer> open(const Vault& vault, std::chrono::milliseconds patience);
  Indexer(Indexer&&) noexcept;
  Indexer& operator=(Indexer&&) noexcept;
  ~Indexer();

  // Makes the index equal to the files. Idempotent; a second call with nothing changed writes nothing but checked_at.
  Result<ReconcileReport> reconcile(const ProgressCallback& progress = {}, const HoldBack& hold_back = {});
  // Only these paths (and the logs under .loci): what an append or an editor's save asks for. Does not grow with the vault.
  Result<ReconcileReport> reconcile(const std::vector<std::string>& paths);
  // A new generation from nothing, swapped in at the end.
  Result<ReconcileReport> rebuild(std::string reason, const ProgressCallback& progress = {});

 private:
  struct Impl;
  explicit Indexer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Walks the vault on a thread of its own: started before the index is opened, it takes no longer than the walk alone. `vault` has
// to outlive the future, whose destructor waits.
std::future<Result<Scan>> start_scan(const Vault& vault);

// The stat sweep against what the index knows, without a lock and without writing. A command that only reads opens an IndexReader,
// asks this, and opens an Indexer only if there is something to do.
Result<Staleness> find_stale(const Vault& vault, IndexReader& reader, std::future<Result<Scan>> walk);
inline Result<Staleness> find_stale(const Vault& vault, IndexReader& reader) {
  return find_stale(vault, reader, start_scan(vault));
}

// For doctor: builds a fresh index in memory or in a temporary folder and compares it entry by entry, FTS5's own integrity check
// included.
struct Difference {
  std::string id, file;
  int line = 0;
  std::string what;  // "missing in the index", "not in the files", "line 12, index says 10", "text differs", …
};
Result<std::vector<Difference>> compare_with_fresh_scan(const Vault& vault, const ProgressCallback& progress = {});

}  // namespace loci
