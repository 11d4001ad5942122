// What was retrieved: a raw log in this machine's state folder (retrieval/<local date>.jsonl, with the queries' text, 0600, never
// synced), and one line a finished day in the vault (.loci/recall/<host>.jsonl) with counts only. The vault's count of an entry is
// the union over all hosts. Many processes may log at once; logging is one write without sync, so that it delays no answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

struct Retrieval {
  std::string query;
  std::string session;  // may be empty
  std::optional<std::int64_t> turn;
  std::vector<std::string> ids;  // the entries that were returned, in order
  Instant at{};                  // of one that is read; what is logged happens now
  Json details;                  // candidates, scores, what was cut and why: kept as given
};

Status log_retrieval(const Vault& vault, const Retrieval& retrieval);

// Of the days whose raw logs still stand, oldest first. Lines that are torn or broken are skipped.
Result<std::vector<Retrieval>> read_retrievals(const Vault& vault);

// Adds a line to the vault for every day before today that is in the raw log and not yet in this host's file, then removes raw logs
// older than `retrieval_log_days`. Safe to call at any time, by several processes at once; a day counts once.
Status fold_recall_log(const Vault& vault);

struct RecallCount {
  std::int64_t times = 0;    // retrievals that returned it
  std::int64_t queries = 0;  // different queries, summed over days
  std::int64_t days = 0;     // different days
  std::string last;          // the latest day, "2026-11-20"

  bool operator==(const RecallCount&) const = default;
};

struct RecallCounts {
  std::unordered_map<std::string, RecallCount> by_id;
  std::vector<Problem> problems;  // torn or broken lines, skipped
};

// Finished days of all hosts. Today's retrievals are not in it.
Result<RecallCounts> read_recall_counts(const Vault& vault);

// The same, and what this machine has retrieved since, up to this moment. Reads the raw logs that are not folded yet.
Result<RecallCounts> recall_counts_until_now(const Vault& vault);

// When one entry was retrieved, and lately for what: finished days of all hosts and this machine's today, earliest first; and the
// latest retrievals of the raw log, latest first, at most `most_latest`.
struct RecallsOfEntry {
  std::map<std::string, std::int64_t> by_day;
  struct One {
    std::string at, query, session;
  };
  std::vector<One> latest;
};
Result<RecallsOfEntry> recalls_of(const Vault& vault, const std::string& id, size_t most_latest = 10);

}  // namespace loci
