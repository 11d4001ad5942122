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
  std::string text_hash;  // 32 hex digits: of what the id said, which ends with it; empty if only the id does, and after a purge
  Reason reason = Reason::deleted;
  std::string by;  // "user", "agent" or "model"
  std::string superseded_by;
  std::string loose = {};  // 32 hex digits: of the text without emphasis, list markers and checkboxes; empty if nobody knew it
};

// Says that the id no longer counts, as long as it is the latest line of the id.
inline bool removes(const Tombstone& tombstone) {
  return tombstone.reason == Tombstone::Reason::deleted || tombstone.reason == Tombstone::Reason::corrected;
}
// By a purge, which leaves no hash behind. A fact that was forgotten with its entry in a vault that does not know it has none
// either.
inline bool is_purged(const Tombstone& tombstone) {
  return tombstone.reason == Tombstone::Reason::deleted && tombstone.text_hash.empty() && tombstone.loose.empty();
}
// An agent ends the id that it names; a person, and a run that overrules, end every text that says the same as well.
inline bool ends_its_text(const Tombstone& tombstone) { return tombstone.by != "agent" && !tombstone.text_hash.empty(); }
std::string_view name_of(Tombstone::Reason reason);  // "deleted", …

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
// The fact's entry was taken into another one.
inline bool is_merge(const LedgerEntry& line) { return !line.into.empty() && line.into != line.entry; }
std::string_view name_of(LedgerEntry::Outcome outcome);

// Begins the name of a promotion that belongs to no run: the line followed its entry.
inline constexpr std::string_view in_step_run = "in-step-";

// What stands between the markers of MEMORY.md after a promotion: the refs, each with the 32 digits of its line's hash.
struct PromotedLines {
  std::int64_t generation = 0;
  std::string run;
  Instant at;
  std::vector<std::pair<std::string, std::string>> lines;
  std::optional<std::vector<std::string>> dropped = {};  // the refs whose lines it took out; of an old line nobody knows
};

// A rebuild starts a generation with `whole` false; what it settles counts once a line says that it is whole. A generation without
// such lines is whole.
struct GenerationMark {
  std::int64_t generation = 0;
  std::string run;
  Instant at;
  bool whole = false;
};

template <typename Line>
struct LogFile {
  std::vector<Line> lines;        // in file order; line numbers are not needed, order is
  std::vector<Problem> problems;  // torn or broken lines, skipped
  size_t complete_bytes = 0;      // up to and with the last line end: where reading may go on after an append
};

struct LedgerFile : LogFile<LedgerEntry> {
  std::vector<PromotedLines> promotions;  // in file order, like the lines
  std::vector<GenerationMark> generations;
};

// `from`: bytes already read before (a complete_bytes); `relative_path` only names the file in problems.
LogFile<Tombstone> parse_tombstones(std::string_view bytes, const std::string& relative_path, size_t from = 0);
LedgerFile parse_ledger(std::string_view bytes, const std::string& relative_path, size_t from = 0);

std::string format(const Tombstone& tombstone);  // one line, with its line end
std::string format(const LedgerEntry& entry);
std::string format(const PromotedLines& promoted);
std::string format(const GenerationMark& mark);

// Each appends to this machine's file as HostLog::append does: all of it, or nothing.
Status append_tombstones(const Vault& vault, const std::vector<Tombstone>& tombstones);
Status append_ledger(const Vault& vault, const std::vector<LedgerEntry>& entries);
Status append_promotion(const Vault& vault, const PromotedLines& promoted);

// Of all tombstones of the vault that carry one of these hashes: the latest `at`. For `at` of a new entry with the same words.
Result<std::optional<Instant>> latest_tombstone_of(const Vault& vault, std::string_view text_hash,
                                                   std::string_view loose_hash = {});

// Which host a log file belongs to: the name without folder and suffix.
std::string host_of_log(std::string_view relative_path);

}  // namespace loci
