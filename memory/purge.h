// Purging a secret: unlike forget it blanks the text itself, wherever loci or the vault holds it. The one operation that changes
// bytes of the archive. Lines keep their numbers and every other entry stays as it is. Afterwards no hash of the text is left
// either.
//
// Out of reach, and the caller says so: git history, backups, other machines, blocks that a file system has not yet overwritten.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "memory/vault_logs.h"
#include "vault/purge/store.h"

namespace loci {

struct PurgeOptions {
  bool everywhere = false;  // also what else says nearly the same
};

// What would be purged: the entries named (forgotten ones too), the facts they rest on, what rests on them, and every entry with
// the same text; also what an unfinished purge was about. Nothing is written.
Result<std::vector<Entry>> entries_to_purge(Memory& memory, const std::vector<std::string>& ids, const PurgeOptions& options);

struct Purged {
  std::vector<std::string> ids;
  std::vector<std::string> files;        // of the vault, relative, that were changed
  std::vector<std::string> state_files;  // of the state folder
  std::vector<std::string> still_in;     // files, also of the vault, in which a line of the text still stands
  std::vector<std::string> notes;        // what could not be done, and why
  bool complete = true;                  // false if something could not be done
};

// `stores`: everything beside the memory files that may hold the text (daemon/stores.h has all). Tells of what it could not change,
// and goes on. Killed, or not complete: entries_to_purge gives what it was about again, whichever ids it is asked for.
Result<Purged> purge(Memory& memory, const std::vector<Entry>& entries, std::span<const Store> stores,
                     const ProgressCallback& progress = {});

// What was purged, by its tombstones: text under one of these ids, in whatever store, was missed or came later.
std::vector<PurgedEntry> purged_ids(const VaultLogs& logs);

}  // namespace loci
