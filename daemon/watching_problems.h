// What keeps the index from following the files at once, as `loci doctor` tells it.
#pragma once

#include <vector>

#include "base/file_system.h"
#include "base/json.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

// Those of a status shape, or of its "daemon", that are not among `problems` yet.
void add_problems_of(const Json& status, std::vector<Problem>& problems);

// What the daemon that listens at `socket` lacks; if none does, what one would lack.
// Returns whether one was asked.
bool add_watching_problems(const Vault& vault, const path& socket, std::vector<Problem>& problems);

}  // namespace loci
