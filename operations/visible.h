// What of a memory the caller of an operation may see. A person sees everything; what goes to an agent reaches a model, so that
// what [privacy] never_send names (memory/may_send.h) is in none of its answers: it is answered like what does not exist. Every
// operation that reads asks here. One thread, for one call.
#pragma once

#include <string>
#include <vector>

#include "memory/authority.h"
#include "memory/may_send.h"
#include "memory/memory.h"

namespace loci {

class Visible {
 public:
  Visible(Memory& memory, Actor actor)
      : memory_(memory), sendable_(memory), sees_all_(actor == Actor::person || !sendable_.has_rules()) {}

  bool sees_all() const { return sees_all_; }
  Result<bool> sees(const Entry& entry) { return sees_all_ ? Result<bool>(true) : sendable_.may_send(entry); }
  bool sees_file(const std::string& file) const { return sees_all_ || sendable_.may_send({}, {}, file); }
  Result<bool> sees_id(const std::string& id) { return sees_all_ ? Result<bool>(true) : sendable_.may_send_id(id); }
  // Takes out what may not be seen.
  Status keep_seen(std::vector<Entry>& entries);
  // A file of memory without what may not be seen.
  Result<std::string> seen_part(std::string_view bytes, const std::string& file);

  // As find_entry (memory/memory.h).
  Result<Entry> find(const std::string& id_or_prefix, bool inactive = false);
  // As find_entry_to_change (memory/forget.h).
  Result<Entry> find_to_change(const std::string& id_or_prefix, bool inactive = false);

  // What `ask` gives when it is asked for so many, without what may not be seen; it is asked for more as long as that leaves fewer
  // and there are more.
  template <typename Ask>
  Result<std::vector<Entry>> entries(size_t limit, Ask ask) {
    for (size_t wanted = limit;; wanted *= 4) {
      std::vector<Entry> found = TRY(ask(wanted));
      const bool is_all = found.size() < wanted;
      TRY(keep_seen(found));
      if (found.size() > limit) found.resize(limit);
      if (is_all || found.size() == limit) return found;
    }
  }

 private:
  Memory& memory_;
  Sendable sendable_;
  bool sees_all_;
};

}  // namespace loci
