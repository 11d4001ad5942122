// What a clone has to know so that a git that a person runs merges as loci does: the driver in the clone's configuration, and in
// .git/info/attributes which files it is for, because a branch may be older than the vault's .gitattributes. `loci sync` itself
// needs neither. Done again, nothing changes; lines of others stay.
#pragma once

#include <string>

#include "base/result.h"
#include "vault/git/git_exchange.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

// The driver's command, with git's placeholders; `program` is the path of loci, or its name.
std::string driver_command(const std::string& program);

Status write_attributes(const GitExchange& git);
Status register_driver(const GitExchange& git, const std::string& program);
// Git leaves files unmerged in silence where the registered program has moved away.
void add_driver_problem(const Vault& vault, std::vector<Problem>& problems);
// Where the registered program has moved away: this one.
Status renew_driver(const GitExchange& git, const std::string& program);

}  // namespace loci
