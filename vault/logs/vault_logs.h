// The lines of the ledgers and tombstones of every machine, as the files hold them, in one order that is the same on every machine.
// What they say of an id is the chronicle's to tell.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/logs/host_log.h"
#include "vault/logs/logs.h"

namespace loci {

struct VaultLogs {
  std::vector<Tombstone> tombstones;        // by (at, host, line): the last one of an id decides
  std::vector<LedgerEntry> ledger;          // likewise
  std::vector<PromotedLines> promotions;    // likewise; of one machine always in the order in which it wrote them
  std::vector<GenerationMark> generations;  // as they come
  std::vector<Problem> problems;            // torn and broken lines
  std::vector<std::string> files;           // relative paths
};

// ErrorCode::refused if a folder of logs is a link: without them nobody knows what was deleted.
Result<VaultLogs> read_logs(const Vault& vault);

// The same of bytes that are at hand; each kind by name.
VaultLogs vault_logs_of(const std::vector<HostLog::File>& tombstones, const std::vector<HostLog::File>& ledgers);

// The moment for new tombstones: now, or just behind the latest of those in the logs, so that a clock that went back cannot make
// them the older ones.
Instant next_tombstone_time(const Vault& vault, const VaultLogs& logs);

}  // namespace loci
