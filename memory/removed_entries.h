// What `forget` took out of consolidated/ and user.md, kept in the state folder (removed/<id>.json, mode 0600) so that `restore`
// can put it back on this machine. Archive text and notes need no copy: they stay where they are.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "vault/vault.h"

namespace loci {

struct RemovedEntry {
  std::string file;      // relative to the vault's root
  std::string markdown;  // the entry with its metadata, as it stood
};

Status keep_removed_entry(const Vault& vault, const std::string& id, const RemovedEntry& entry);
Result<std::optional<RemovedEntry>> find_removed_entry(const Vault& vault, const std::string& id);
// Fine if there is none.
Status drop_removed_entry(const Vault& vault, const std::string& id);

}  // namespace loci
