// All tombstones and ledger lines of a vault, of every host, as the files hold them. For operations that have to know the history
// of an id; searching uses the index instead.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/logs/logs.h"

namespace loci {

struct VaultLogs {
  std::vector<Tombstone> tombstones;  // by (at, host, line): the last one of an id is its state
  std::vector<LedgerEntry> ledger;    // likewise
  std::vector<Problem> problems;      // torn and broken lines
  std::vector<std::string> files;     // relative paths
};

Result<VaultLogs> read_logs(const Vault& vault);

// The tombstone that decides about this id, or null. `demoted` decides nothing.
const Tombstone* state_of(const VaultLogs& logs, std::string_view id);
inline bool removes(const Tombstone& tombstone) {
  return tombstone.reason == Tombstone::Reason::deleted || tombstone.reason == Tombstone::Reason::corrected;
}

std::string_view name_of(Tombstone::Reason reason);  // "deleted", …
std::string_view name_of(LedgerEntry::Outcome outcome);

// The moment for new tombstones: now, or just behind the latest of those in the logs, so that a clock that went back cannot make
// them the older ones.
Instant next_tombstone_time(const Vault& vault, const VaultLogs& logs);

}  // namespace loci
