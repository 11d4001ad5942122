#include "consolidate/carry_out.h"

#include <algorithm>
#include <ranges>
#include <span>

#include "consolidate/still_stands.h"
#include "memory/add.h"
#include "vault/rewrite/replace.h"

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

Status replace(const Vault& vault, const FileChange& change) {
  return change.before ? replace_file(vault, change.file, *change.before, change.after)
                       : create_file(vault, change.file, change.after);
}

// A file that was made stays, empty: an editor may have it open already.
Status put_back(const Vault& vault, const FileChange& change) {
  return replace_file(vault, change.file, change.after, change.before.value_or(std::string()));
}

// True if everything is as it was.
bool put_back_all(const Vault& vault, std::span<const FileChange> done) {
  bool all = true;
  for (const FileChange& change : done | std::views::reverse) all = put_back(vault, change).has_value() && all;
  return all;
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
  for (size_t i = 0; i < changes.files.size(); ++i) {
    const auto replaced = replace(vault, changes.files[i]);
    if (replaced) continue;
    if (put_back_all(vault, std::span(changes.files).first(i))) return take_back(replaced.error());
    return replaced;
  }
  TRY(append_tombstones(vault, tombstones));
  TRY(append_ledger(vault, ledger));
  std::vector<std::string> files;
  for (const FileChange& change : changes.files) files.push_back(change.file);
  if (files.empty()) files.emplace_back(".loci/ledger/" + vault.host() + ".jsonl");
  make_searchable(memory, files);  // an index that cannot be written now is brought up to date by whoever reads next
  return {};
}

}  // namespace loci
