#include "indexer/index_build.h"

#include <algorithm>

#include "indexer/claim_order.h"
#include "indexer/problem_blob.h"
#include "indexer/read_ahead.h"
#include "indexer/reconciler.h"
#include "indexer/schema.h"

namespace loci {
namespace {

// FTS5 gathers this much before it writes a segment, and the fewer segments, the less there is to merge; later writes are small.
constexpr const char* gather_much =
    "INSERT INTO fts(fts, rank) VALUES ('hashsize', 16777216);"
    "INSERT INTO fts(fts, rank) VALUES ('automerge', 0)";
constexpr const char* gather_little =
    "INSERT INTO fts(fts, rank) VALUES ('hashsize', 1048576);"
    "INSERT INTO fts(fts, rank) VALUES ('automerge', 4)";

Status fill(const Vault& vault, IndexConnection& index, const Scan& scanned, const ProgressCallback& progress,
            ReconcileReport& report) {
  auto& database = index.database;
  database.execute(gather_much);
  Transaction transaction(database, Transaction::Kind::write);
  LogTables logs(database, true);
  logs.update(vault, scanned.logs);
  EntryStore entries(database, *index.tokenizer, logs, true);
  Reconciler reconciler(vault, database, entries, report);
  ReadAhead files(vault, scanned.files);
  while (auto file = files.next()) {
    if (file->reading)
      reconciler.add(file->state, file->read_at, std::move(*file->reading));
    else if (file->reading.error().code != ErrorCode::not_found)
      reconciler.add_unreadable(file->state, file->reading.error());
    if (database.failed()) return database.status();
    ++report.files_read;
    if (progress) progress({"indexing", report.files_read, scanned.files.size()});
  }
  write_scan_problems(database, scanned.problems);
  entries.finish_build();
  for (const RowId row : entries.rows_concerned(logs.finish_build())) entries.refresh_standing(row);
  entries.flush();
  TRY(transaction.commit());
  database.execute(gather_little);
  database.execute("PRAGMA locking_mode=NORMAL; PRAGMA journal_mode=WAL");
  return database.status();
}

}  // namespace

Result<ReconcileReport> build_index(const Vault& vault, const path& file, const ProgressCallback& progress) {
  auto scanned = TRY(scan(vault));
  std::ranges::sort(scanned.files, ClaimOrder(), &FileState::path);
  ReconcileReport report;
  report.files_seen = scanned.files.size();
  report.rebuilt = true;
  Status status;
  {
    auto index = create_index(vault.files(), file);
    status = index ? fill(vault, *index, scanned, progress, report) : std::unexpected(index.error());
  }
  if (status) return report;
  for (const char* suffix : {"", "-wal", "-shm"}) static_cast<void>(vault.files().remove(path(file) += suffix));
  return std::unexpected(status.error());
}

void write_scan_problems(Database& database, const std::vector<Problem>& problems) {
  run(database, "INSERT OR REPLACE INTO about VALUES ('scan problems', ?)", Blob{pack_problems(problems)});
}

std::vector<Problem> read_scan_problems(Database& database) {
  Query row(database, "SELECT value FROM about WHERE name = 'scan problems'");
  return row.next() ? unpack_problems(row.blob(0)) : std::vector<Problem>{};
}

}  // namespace loci
