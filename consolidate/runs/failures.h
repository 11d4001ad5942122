// How often the clusters of pending facts failed, by the facts' present texts: <state folder>/consolidation.json (0600). A fact
// whose cluster failed three times is quarantined: a line of the ledger says so, on every machine. Derived: a broken or missing
// file counts as no failures. Whoever writes holds the consolidation lock.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/material.h"
#include "consolidate/decide/plan.h"
#include "vault/layout/vault.h"

namespace loci {

struct FailureCount {
  std::string hash;  // of the text that it failed with: another text is another fact
  int count = 0;
};
using Failures = std::map<std::string, FailureCount>;  // by the fact's id

Failures read_failures(const Vault& vault);

// One more failure of each of these facts; quarantines those that failed for the third time. How many.
Result<size_t> note_failures(const Vault& vault, const std::vector<Fact>& facts, const RunIdentity& identity,
                             const std::string& why);

// They were settled.
Status clear_failures(const Vault& vault, const std::vector<std::string>& facts);

}  // namespace loci
