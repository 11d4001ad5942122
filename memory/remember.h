// The agent's write tool: what a model may do to a memory by itself. What it says has source `agent`, unless a quote proves it the
// user's; it reaches user.md (L0) and single facts (L1), never what was said in the past (L2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/add.h"
#include "memory/memory.h"
#include "memory/quoted.h"

namespace loci {

struct RememberRequest {
  enum class Action : std::uint8_t { add, update, remove };
  Action action = Action::add;
  std::optional<Layer> layer = {};  // none: L1 of what is added, else that of the target
  std::string content;              // of add and update
  std::string target_id;            // of update and remove
  std::string section;              // of user.md; made if there is none
  std::vector<std::string> tags;
  Quote quote;  // of add and update: proves that the content is the user's word, else it is the agent's
};

// {"action","layer","content","target_id","section","tags","quote","session"}. ErrorCode::usage says what is wrong;
// ErrorCode::refused for L2.
Result<RememberRequest> parse_remember_request(std::string_view json);
Result<RememberRequest> remember_request_from(const Json& request);  // of what was parsed already

struct Remembered {
  std::string id;                // of the entry that was added, changed or removed
  std::string file;              // where it stands now; empty after a removal
  int line = 0;                  // 0 if that is not known yet
  std::optional<Source> source;  // what the new text counts as; none after a removal
  std::vector<std::string> notes;
  Searchable searchable;
};

// ErrorCode::not_found for a target that is none; ErrorCode::refused for a limit, and for a target in L2.
Result<Remembered> remember(Memory& memory, const RememberRequest& request);

}  // namespace loci
