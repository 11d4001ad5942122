// The entries that a transaction appends to the archive, after a kill: some may be there, some not. Any thread, any process.
#pragma once

#include <vector>

#include "base/result.h"
#include "vault/archive/append.h"
#include "vault/layout/vault.h"

namespace loci {

// `entries` have ids. Those that stand in no file of the archive.
Result<std::vector<NewEntry>> missing_in_archive(const Vault& vault, const std::vector<NewEntry>& entries);

// Whether one of them stands there, or will: what the journal has comes back (vault/archive/tail_restoration.h).
Result<bool> came_into_archive(const Vault& vault, const std::vector<NewEntry>& entries);

}  // namespace loci
