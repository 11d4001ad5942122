// What was appended to the archive during the last day, kept in the state folder (journal/, vault/archive/day_log.h), so that a
// tail that an editor's old buffer overwrote can be appended again. A line is written before the append itself; it is not synced:
// the archive's own bytes are. Many processes may write at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

struct JournalRecord {
  std::string id;  // of this write
  Instant at;
  std::string file;          // relative to the vault's root
  std::uint64_t offset = 0;  // where the bytes were to go; a simultaneous append may have pushed them further
  std::string bytes;         // valid UTF-8
  std::string behind;        // id of the entry that was the last in front of them; empty: there was none
  std::string head;          // of git then (git_head_around)

  bool operator==(const JournalRecord&) const = default;
};

// One line, one write. The first line of a day also removes what is too old, notes of tails too (vault/archive/tail_notes.h).
Status write_journal(const Vault& vault, const JournalRecord& record);

// The write failed and was taken back: nobody must put it there again.
Status withdraw_from_journal(const Vault& vault, const JournalRecord& record);

// The records that are not older than a day and not withdrawn, oldest first. Torn or broken lines are skipped.
Result<std::vector<JournalRecord>> read_journal(const Vault& vault);

}  // namespace loci
