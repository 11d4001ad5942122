// What loci needs around a vault and does not find: programs that others call, and git.
#pragma once

#include <vector>

#include "base/file_system.h"
#include "vault/layout/environment.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci::cli {

// Agents that are connected to this vault and call a program that is gone, and a repository that git cannot be asked about. What
// needs nothing else is no problem: a vault without git, an agent that is not there.
void add_problems_of_surroundings(const Vault& vault, const Environment& environment, std::vector<Problem>& problems);

}  // namespace loci::cli
