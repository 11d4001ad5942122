// Which entries no model may see: [privacy] never_send, asked of every place that an entry stands in, and of the facts that it
// rests on. One thread.
#pragma once

#include "memory/memory.h"
#include "vault/never_send.h"

namespace loci {

// By the entry itself. Pure.
bool is_private(const NeverSend& never_send, const Entry& entry);

class Privacy {
 public:
  explicit Privacy(Memory& memory) : memory_(memory), rules_(memory.vault().config().never_send) {}

  bool covers(const Entry& entry) const { return !rules_.empty() && is_private(rules_, entry); }
  // What was made of a private fact is as private as that.
  Result<bool> covers_with_facts(const Entry& entry);
  bool has_rules() const { return !rules_.empty(); }

 private:
  Memory& memory_;
  NeverSend rules_;
};

}  // namespace loci
