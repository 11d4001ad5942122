// What was appended to the archive during the last day, kept in the state folder (journal/<UTC date>.jsonl, mode 0600), so that
// a tail that an editor's old buffer overwrote can be appended again. A line is written before the append itself; it is not
// synced: the archive's own bytes are. Many processes may write at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

inline constexpr std::chrono::hours journal_keeps{24};

struct JournalRecord {
  std::string id;  // of this write
  Instant at;
  std::string file;          // relative to the vault's root
  std::uint64_t offset = 0;  // where the bytes were to go; a simultaneous append may have pushed them further
  std::string bytes;         // valid UTF-8
  std::string head;          // of git then (git_head_around)

  bool operator==(const JournalRecord&) const = default;
};

// One line, one write. The first line of a day also removes the files that only hold older records than journal_keeps.
Status write_journal(const Vault& vault, const JournalRecord& record);

// The write failed and was taken back: nobody must put it there again.
Status withdraw_from_journal(const Vault& vault, const JournalRecord& record);

// The records that are not older than journal_keeps and not withdrawn, oldest first. Torn or broken lines are skipped.
Result<std::vector<JournalRecord>> read_journal(const Vault& vault);

}  // namespace loci
