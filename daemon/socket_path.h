// Where a vault's daemon listens, so that commands find it.
#pragma once

#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

// <runtime folder>/loci/<vault id>.sock; without a runtime folder, `daemon.sock` in the vault's state folder.
path daemon_socket(const Vault& vault, const Environment& environment);

}  // namespace loci
