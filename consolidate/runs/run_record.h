// What a run did, kept on this machine for `loci log` and `loci undo` (undo_keep_days): <state folder>/runs/<run>/, mode 0600.
//
//   run.json        the record but for its clusters, of which it has the counts
//   clusters.json   those
//   before/<hash>   bytes of a file before the run first changed it, by their SHA-256
//
// A record is written before the files that it tells of, so that a crash never leaves a change without its pre-image.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "consolidate/decide/plan.h"
#include "model/language_model.h"
#include "vault/layout/vault.h"

namespace loci {

// An entry before and after; an empty `before` was added, an empty `after` removed.
struct EntryRecord {
  std::string id, file;
  std::string before, after;                    // texts
  std::string before_hash, after_hash;          // of the texts
  std::string before_markdown, after_markdown;  // with metadata, as in the file
  std::vector<FactCited> facts;                 // that the operation cites
};

struct FileRecordOfRun {
  std::string file;
  std::string before;   // SHA-256 of the bytes before the run first changed it; empty: there was no such file
  std::string after;    // of the bytes that the run last wrote
  bool shared = false;  // somebody else saved it between two writes of the run: only entry by entry can it be taken back
};

// An operation of the model's that was not carried out, or not at first.
struct RefusedRecord {
  std::string operation;           // "ADD", "REPLACE", …
  std::string text;                // that it would have written
  std::vector<std::string> facts;  // ids
  std::vector<std::string> why;
};

struct ClusterRecord {
  std::string outcome;                // "applied", "refused", "failed", "nothing"
  std::string reason;                 // of a refusal or a failure
  std::vector<std::string> facts;     // ids
  std::vector<std::string> left_out;  // of them, those that the answer did not name
  std::vector<RefusedRecord> refused;
  std::vector<EntryRecord> entries;
  std::vector<LedgerEntry> ledger;    // the lines that settle the facts
  std::vector<Tombstone> tombstones;  // of the facts that a correction overruled
};

// What the clusters of a run came to.
struct RunCounts {
  std::map<std::string, std::size_t> outcomes;      // of its lines of the ledger, by the outcome's name
  std::size_t added = 0, changed = 0, removed = 0;  // entries
};

struct RunRecord {
  std::string run;
  Instant at;
  std::optional<Instant> ended;
  std::int64_t generation = 1;
  std::string kind;    // "consolidate", "rebuild", "undo"; "release": entries that a forgotten fact ended were taken apart
  std::string model;   // LanguageModel::name() or "builtin"
  std::string prompt;  // "decide/1"; empty for builtin
  TokenUse tokens;
  std::int64_t decided = 0, refused = 0;  // operations of the model, and those of them that were not carried out
  std::string outcome;                    // "", while it runs; "done", "failed", "stopped", "cancelled", "interrupted", "undone"
  std::string reason;
  std::vector<ClusterRecord> clusters;
  std::optional<RunCounts> counts;  // of a record that was read without its clusters
  std::vector<FileRecordOfRun> files;
  std::string undone_by;
  std::string undoes;  // of an undo: the run that it takes back
};

RunCounts counts_of(const RunRecord& record);

// The name of the model whose answers were refused for the most part in its last three runs, the latest first in `runs`; empty:
// none.
std::string unsuitable_model(const std::vector<RunRecord>& runs);

Status write_run(const Vault& vault, const RunRecord& record);
// ErrorCode::not_found; a unique prefix will do. Of a run that is older than what is kept only the counts may be left.
Result<RunRecord> read_run(const Vault& vault, const std::string& run_or_prefix);
// Latest first, without their clusters: quick, whatever the runs did. Broken records are skipped and named in `problems`.
Result<std::vector<RunRecord>> list_runs(const Vault& vault, std::vector<Problem>* problems = nullptr);
// The latest one, if it has not ended: it was killed, or is under way.
std::optional<RunRecord> unfinished_run(const Vault& vault);

std::string hash_of_bytes(std::string_view bytes);  // SHA-256, as the files of a run have it
// Keeps the bytes under their hash, durably.
Status keep_before(const Vault& vault, const std::string& run, std::string_view bytes);
Result<std::string> read_before(const Vault& vault, const std::string& run, const std::string& hash);
// Removes what is older than undo_keep_days; of the latest run, and of the latest that was no undo, only what it would be undone
// with: the gates and `loci log` still know of them.
Status remove_old_runs(const Vault& vault);

// For a person's program: {"run","at","ended","kind","outcome",…,"files":[…],"facts","added","changed","removed"}, and if `whole`
// every cluster with its entries before and after, the facts cited and the lines of the ledger.
Json run_to_json(const RunRecord& record, bool whole);

}  // namespace loci
