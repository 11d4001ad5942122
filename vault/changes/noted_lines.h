// The lines of the logs that go with a transaction: after a kill some may be there, some not. Any thread, any process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/logs/logs.h"

namespace loci {

struct FileTransaction;

struct NotedLines {
  std::vector<Tombstone> tombstones;
  std::vector<LedgerEntry> ledger;
  std::optional<PromotedLines> promotion;

  bool empty() const { return tombstones.empty() && ledger.empty() && !promotion; }
};

// Those that this host's own logs have not: nobody else appends what was noted here.
struct MissingLines {
  NotedLines lines;
  bool was_told = false;  // the logs have at least one of the transaction's
};
Result<MissingLines> missing_in_logs(const Vault& vault, const FileTransaction& transaction);

// Returns the files that it appended to, relative to the vault.
Result<std::vector<std::string>> append_lines(const Vault& vault, const NotedLines& lines);

}  // namespace loci
