// Which entries no model may see: [privacy] never_send, asked of every place that an entry stands in, and of all that it was made
// of. One thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "memory/memory.h"
#include "vault/layout/never_send.h"

namespace loci {

// By the entry itself. Pure.
bool is_private(const NeverSend& never_send, const Entry& entry);

class Privacy {
 public:
  explicit Privacy(Memory& memory) : memory_(memory), rules_(memory.vault().config().never_send) {}

  bool covers(const Entry& entry) const { return !rules_.empty() && is_private(rules_, entry); }
  // What was made of something private is as private as that: an entry through the facts that it rests on, a fact through what it
  // corrects and what it took the place of. Fails as reading the index and the logs does.
  Result<bool> covers_with_origins(const Entry& entry);
  bool has_rules() const { return !rules_.empty(); }

 private:
  Result<bool> covers_any(const Entry& entry, std::set<std::string>& seen);
  Result<std::vector<std::string>> origins_of(const Entry& entry);

  Memory& memory_;
  NeverSend rules_;
  std::optional<std::map<std::string, std::vector<std::string>>> superseded_;  // by which fact, once the logs were read
};

}  // namespace loci
