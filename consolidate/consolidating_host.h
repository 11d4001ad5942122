// Which machine consolidates a vault: [consolidation] hosts, which is "primary", "all", or names of hosts with commas between them.
#pragma once

#include <string>

#include "vault/layout/vault.h"

namespace loci {

// `instead`: who does where it is not this one; empty: nobody.
bool consolidates_here(const Vault& vault, std::string& instead);

}  // namespace loci
