// Changes of files and logs that a killed process or a full disk cut short, or that git keeps waiting (vault/changes/
// file_transaction.h): finished by whoever writes next, and made searchable.
#pragma once

#include <vector>

#include "memory/memory.h"
#include "vault/changes/file_transaction.h"

namespace loci {

// Call it before anything is decided about entries that may be about to change. Quick if there is nothing. Fails like
// finish_transactions(); an index that is busy learns of it later.
Result<FinishedTransactions> finish_unfinished_changes(Memory& memory);

// What still waits, for `status`: "unfinished-change", with the file. Nothing while somebody is at one.
std::vector<Problem> unfinished_changes(const Vault& vault);

}  // namespace loci
