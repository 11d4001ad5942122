// The latest deciding line of an id in logs that are at hand. What the logs say beyond that: vault/logs/chronicle.h.
#pragma once

#include <string_view>

#include "vault/logs/vault_logs.h"

namespace loci {

// The tombstone that decides about this id, or null. `demoted` decides nothing.
const Tombstone* state_of(const VaultLogs& logs, std::string_view id);

}  // namespace loci
