#include "consolidate/runs/carry_out.h"

#include <algorithm>

#include "base/id.h"
#include "consolidate/runs/still_stands.h"
#include "memory/add.h"

namespace loci {
namespace {

Status note_file(const Vault& vault, const FileChange& change, RunRecord& record) {
  const std::string before = change.before ? hash_of_bytes(*change.before) : std::string();
  const std::string after = hash_of_bytes(change.after);
  const auto known = std::ranges::find(record.files, change.file, &FileRecordOfRun::file);
  if (known != record.files.end()) {
    known->shared = known->shared || known->after != before;
    known->after = after;
    return {};
  }
  record.files.push_back({change.file, before, after});
  return change.before ? keep_before(vault, record.run, *change.before) : Status();
}

Status note(const Vault& vault, const FileChanges& changes, const std::vector<Tombstone>& tombstones,
            const std::vector<LedgerEntry>& ledger, RunRecord& record) {
  for (const FileChange& change : changes.files) TRY(note_file(vault, change, record));
  TRY(leave_out_purged(vault, record));
  if (record.clusters.empty()) record.clusters.emplace_back();
  ClusterRecord& cluster = record.clusters.back();
  cluster.outcome = "applied";
  std::ranges::copy(changes.entries, std::back_inserter(cluster.entries));
  std::ranges::copy(ledger, std::back_inserter(cluster.ledger));
  std::ranges::copy(tombstones, std::back_inserter(cluster.tombstones));
  return write_run(vault, record);
}

}  // namespace

Status carry_out(Memory& memory, FileChanges changes, const std::vector<Tombstone>& tombstones,
                 const std::vector<LedgerEntry>& ledger, RunRecord& record) {
  const Vault& vault = memory.vault();
  RunRecord before = record;
  const auto take_back = [&](const Error& error) -> Status {
    record = std::move(before);
    (void)write_run(vault, record);  // it tells of more than was done: undo looks at the files anyway
    return std::unexpected(error);
  };
  if (auto noted = note(vault, changes, tombstones, ledger, record); !noted) return take_back(noted.error());
  const FileTransaction transaction{
      .id = make_id(vault.clock().now()), .files = std::move(changes.files), .tombstones = tombstones, .ledger = ledger};
  const auto done = commit(vault, transaction);
  if (!done && !is_noted(vault, transaction)) return take_back(done.error());
  if (!done) return std::unexpected(done.error());
  std::vector<std::string> files;
  for (const FileChange& change : transaction.files) files.push_back(change.file);
  if (files.empty()) files.emplace_back(".loci/ledger/" + vault.host() + ".jsonl");
  make_searchable(memory, files);  // an index that cannot be written now is brought up to date by whoever reads next
  return {};
}

}  // namespace loci
