// Topic keys that a model gave to facts which are not settled yet, by the facts' present texts, so that nobody is asked twice:
// <state folder>/topic-keys.json (0600). Derived: a broken or missing file holds none. Whoever writes holds the consolidation lock.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "consolidate/decide/material.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

class KeptKeys {
 public:
  static KeptKeys read(const Vault& vault);

  // It was asked about, perhaps without an answer that fits.
  bool has(const Fact& fact) const;
  // To the facts that have none.
  void give(std::vector<Fact>& facts) const;
  void add(const Fact& fact, std::vector<std::string> about);
  // Without those of facts that are not among these any more.
  Status write(const Vault& vault, const std::vector<Fact>& pending);

 private:
  struct Keys {
    std::string hash;
    std::vector<std::string> about;
  };
  std::map<std::string, Keys> by_fact_;
};

extern const Store topic_key_store;

}  // namespace loci
