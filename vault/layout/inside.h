// A relative path of a vault as the path to open: symbolic links are followed, but never out of the vault.
#pragma once

#include <string>

#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

// The file need not exist. ErrorCode::refused if the path is absolute, or leads out of the vault, by `..` or by a link.
Result<path> resolve_inside(const Vault& vault, const std::string& relative);

}  // namespace loci
