// What the logs of all machines say of entries' ends that not everybody had heard before an exchange.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "vault/git/git_exchange.h"
#include "vault/logs/vault_logs.h"

namespace loci {

class NewEnds {
 public:
  // What everybody knows: the commit that was exchanged last; empty: nothing.
  static Result<NewEnds> since(const GitExchange& git, const std::string& commit);
  // The ids that are named by tombstones which are not known, whatever those say.
  std::set<std::string> in(const VaultLogs& logs) const;

 private:
  std::set<std::string> known_;
};

}  // namespace loci
