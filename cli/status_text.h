// What `loci status` says to a person: a row for each thing that there is to say, and the problems.
#pragma once

#include <string>

#include "base/json.h"
#include "cli/output.h"
#include "memory/status.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci::cli {

// "notes/plan.md:3  bad-front-matter  …"
std::string problem_text(const Output& out, const Problem& problem);

// `daemon`: what one that runs says of itself; null: none does.
void print_status(Output& out, const Vault& vault, const StatusReport& report, const Json& consolidation, const Json* daemon);

}  // namespace loci::cli
