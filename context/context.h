// What an agent gets before it answers, in two blocks:
//
//   1  the system block, at the start of a session: user.md, MEMORY.md, guidance, a task's state (context/system_block.h)
//   2  the message block, in front of a user's message: what was remembered that concerns it (context/message_block.h)
//
// Both hold data from strangers, escaped, and nothing that [privacy] never_send names. The index and the files are read; what was
// given is noted in the state folder, for the session (context/kept_session.h) and for `used` (context/used.h). One thread; fails
// as reading index and files does.
#pragma once

#include <string>

#include "base/json.h"
#include "context/message_block.h"
#include "context/system_block.h"

namespace loci {

// Block 2, logged. It repeats nothing of the session's system block if the agent was given that.
Result<MessageBlock> message_block(Memory& memory, const ContextRequest& request);

// Both, as `loci context` and GET and POST /memory/context give them. `found` is what find_candidates() said, so that a caller can
// put that question while the index is brought up to date.
struct Context {
  std::string system;
  MessageBlock message;
};
Result<Context> context_of(Memory& memory, const ContextRequest& request, const ContextEntries& found);

// {"v":1,"l0","block","tokens","exact","given":[{"id","file","line"}],"cut":[{"id","why"}]}
Json context_to_json(const Context& context);

}  // namespace loci
