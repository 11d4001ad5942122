// What loci took out of consolidated/ and user.md at a person's word, kept in the vault (.loci/removed/<host>.jsonl, mode 0600) so
// that `restore` can put it back on every machine. Archive text and notes need no copy: they stay where they are. The logs only
// grow; what was put back stays in them, and only a purge takes lines away. Their union over all hosts counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "indexer/entry.h"
#include "memory/vault_logs.h"
#include "vault/layout/vault.h"
#include "vault/logs/host_log.h"

namespace loci {

struct RemovedEntry {
  Instant at;  // set when it is kept
  std::string id;
  std::string file;      // relative to the vault's root
  std::string markdown;  // the entry with its metadata, as it stood
};

// Durable when it returns, all of them or none. Writes nothing where the latest copy under an id says the same. What was kept so
// far is read once.
Status keep_removed_entry(const Vault& vault, RemovedEntry entry);
Status keep_removed_entries(const Vault& vault, std::vector<RemovedEntry> entries);

// All of them by (at, host, line); torn and broken lines are skipped, and told to `problems`.
Result<std::vector<RemovedEntry>> read_removed_entries(const Vault& vault, std::vector<Problem>* problems = nullptr);

// The latest under this id.
Result<std::optional<RemovedEntry>> find_removed_entry(const Vault& vault, const std::string& id);

HostLog removed_log(const Vault& vault);

// One line of such a log; nothing if it is torn or broken.
std::optional<RemovedEntry> parse_removed_entry(std::string_view line);

// As an inactive entry that says what the copy says, its place being the file that it left.
Entry entry_of(const RemovedEntry& removed);

// What is known of an id or unique prefix that the index does not know: its copy, or, without one, an entry without text that has
// the hash of its tombstone. `unknown` if there is neither; ErrorCode::usage if there are several.
Result<Entry> find_removed(const Vault& vault, const VaultLogs& logs, const std::string& id_or_prefix, const Error& unknown);

}  // namespace loci
