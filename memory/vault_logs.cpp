#include "memory/vault_logs.h"

#include <ranges>

namespace loci {

const Tombstone* state_of(const VaultLogs& logs, std::string_view id) {
  for (const Tombstone& tombstone : logs.tombstones | std::views::reverse)
    if (tombstone.id == id && tombstone.reason != Tombstone::Reason::demoted) return &tombstone;
  return nullptr;
}

}  // namespace loci
