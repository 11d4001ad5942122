// What a rebuild may lose: it takes every entry away that rests on facts, so each of those facts must come back in one. An archive
// that cannot be read, or a model that ignores everything, must not empty a memory. The thread that rebuilds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "consolidate/decide/plan.h"
#include "memory/memory.h"
#include "memory/vault_logs.h"

namespace loci {

// The facts that these active entries rest on, by `from` and by the ledger's present generation. What was deleted or corrected is
// left out: it may go.
std::set<std::string> facts_resting_in(const std::vector<Entry>& entries, const VaultLogs& logs);

// ErrorCode::refused, with the figures and the likely reason, if the index knows none of these facts, or if more than 3 and more
// than 10 % of them are nowhere in the archive.
Status check_archive(Memory& memory, const std::set<std::string>& resting);

// ErrorCode::refused, with the figures, if more than 3 and more than 10 % of these facts are in no entry afterwards. Facts are
// counted, because equal texts become one entry. Pure.
Status check_rebuild_losses(const Plan& plan, const std::set<std::string>& resting);

}  // namespace loci
