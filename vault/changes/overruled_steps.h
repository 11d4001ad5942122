// What is left to do of a change is done only as far as the logs of now still say so: an entry that has ended since is not brought,
// one that stands again since is not taken out, and what shows an entry goes with it. Any thread.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "parser/entry_steps.h"
#include "vault/layout/vault.h"
#include "vault/logs/chronicle.h"

namespace loci {

struct FileTransaction;

class OverruledSteps {
 public:
  // The logs may have the transaction's own lines or not. `transaction` outlives it.
  static Result<OverruledSteps> of(const Vault& vault, const FileTransaction& transaction);

  bool contains(const EntryStep& step) const;

 private:
  OverruledSteps(Chronicle chronicle, const FileTransaction& transaction);

  bool has_ended(const std::string& id) const;
  bool stands_again(const std::string& id) const;
  const Tombstone* own(const std::string& id) const;
  const Tombstone* latest_but_own(const std::string& id) const;

  Chronicle chronicle_;
  std::map<std::string, const Tombstone*> own_;  // the transaction's, by id
  Instant told_{};                               // its latest line
};

}  // namespace loci
