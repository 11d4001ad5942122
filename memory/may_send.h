// What may be sent to a model. Every prompt, the choice of what is promoted, and what is put before an agent of MEMORY.md and
// user.md ask here, and nowhere else: [privacy] never_send names entries by their tags, by what may be one in their text and in the
// headings that they stand below, their project and every place they stand in, and what was made of something private is as private
// as that:
//
// - an entry through the facts that it rests on, what it corrects and what it took the place of, but what gave way to it;
// - a turn as a whole, if either half is; a fact through the turn that it was said in;
// - a summary, if any turn of its conversation up to it is: whoever made it may not have known that.
//
// One thread. Fails as reading the index and the logs does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"
#include "parser/parser.h"
#include "vault/layout/never_send.h"
#include "vault/logs/chronicle.h"

namespace loci {

class Sendable {
 public:
  explicit Sendable(Memory& memory) : memory_(memory), rules_(memory.vault().config().never_send) {}

  Result<bool> may_send(const Entry& entry);
  // Of an entry that is known by its id alone. What nobody knows by now may not be named.
  Result<bool> may_send_id(const std::string& id);
  // What stands in no file yet: as if it stood in this one.
  bool may_send(std::string_view text, const std::string& project, const std::string& file) const {
    return !rules_.matches({}, project, file) && !rules_.matches_text(text);
  }
  // A file of memory without its entries that may not be sent, and without lines of MEMORY.md that say what has ended: git may
  // bring the end before anybody took out the line, and a line of a person's own is theirs to take out. What may be put before an
  // agent of it.
  Result<std::string> sendable_part(std::string_view bytes, const std::string& file);
  bool has_rules() const { return !rules_.empty(); }

 private:
  bool is_named(const Entry& entry) const;
  Result<std::string> without_ended_lines(std::string_view file);
  Result<bool> has_ended(const std::string& id);
  Result<bool> may_stand(const ParsedEntry& parsed, const std::string& file);
  std::string without_named_blocks(std::string_view text) const;
  Result<bool> is_private(const Entry& entry, std::set<std::string>& seen);
  Result<bool> was_said_in_private(const Entry& entry);
  Result<const std::set<std::int64_t>*> private_turns_of(const std::string& session);
  Result<std::optional<Entry>> origin(const std::string& id);
  Result<std::vector<std::string>> origins_of(const Entry& entry);

  Memory& memory_;
  NeverSend rules_;
  std::map<std::string, std::set<std::int64_t>> private_turns_;  // by session, those that were asked about
  std::optional<std::map<std::string, Entry>> removed_;          // taken out of their files, once they were read
  std::optional<Chronicle> chronicle_;                           // likewise
};

}  // namespace loci
