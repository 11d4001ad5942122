// The append-only logs under .loci/ that decide what is still true: tombstones and the ledger. One JSON object a line.
// The state of the vault is the union over all hosts' files; order by (at, host, line) so that every machine sees the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

struct Tombstone {
  enum class Reason : std::uint8_t { deleted, corrected, demoted, restored };
  Instant at;
  std::string id;
  std::string text_hash;  // 32 hex digits; empty after a purge
  Reason reason = Reason::deleted;
  std::string by;  // "user" or "agent"
  std::string superseded_by;
};

struct LedgerEntry {
  // `undone`: the run was taken back; no line before it settles the fact any more, and of an entry without a hash it says that the
  // entry went with it.
  enum class Outcome : std::uint8_t { added, replaced, merged, duplicate, ignored, quarantined, undone };
  std::int64_t generation = 0;
  std::string run;
  Instant at;
  std::string fact;       // the fact's id
  std::string fact_hash;  // 32 hex digits of its text then
  Outcome outcome = Outcome::added;
  std::string entry;  // the consolidated entry it went into
  std::string entry_hash;
  std::string into;  // of a merge: the entry that took it in
  std::string why;
};

template <typename Line>
struct LogFile {
  std::vector<Line> lines;        // in file order; line numbers are not needed, order is
  std::vector<Problem> problems;  // torn or broken lines, skipped
  size_t complete_bytes = 0;      // up to and with the last line end: where reading may go on after an append
};

// `from`: bytes already read before (a complete_bytes); `relative_path` only names the file in problems.
LogFile<Tombstone> parse_tombstones(std::string_view bytes, const std::string& relative_path, size_t from = 0);
LogFile<LedgerEntry> parse_ledger(std::string_view bytes, const std::string& relative_path,
                                  size_t from = 0);  // promotion lines are skipped

// What stands between the markers of MEMORY.md after a promotion: the refs, each with the 32 digits of its line's hash.
struct PromotedLines {
  std::int64_t generation = 0;
  std::string run;
  Instant at;
  std::vector<std::pair<std::string, std::string>> lines;
};

std::string format(const Tombstone& tombstone);  // one line, with its line end
std::string format(const LedgerEntry& entry);
std::string format(const PromotedLines& promoted);

// Appends to this host's file with one write and one fdatasync; a torn last line gets a newline first.
Status append_tombstones(const Vault& vault, const std::vector<Tombstone>& tombstones);
Status append_ledger(const Vault& vault, const std::vector<LedgerEntry>& entries);
Status append_promotion(const Vault& vault, const PromotedLines& promoted);

// Of all tombstones of the vault that carry this hash: the latest `at`. For `at` of a new entry with the same words.
Result<std::optional<Instant>> latest_tombstone_of(const Vault& vault, std::string_view text_hash);

// Which host a log file belongs to: the name without folder and suffix.
std::string host_of_log(std::string_view relative_path);

}  // namespace loci
