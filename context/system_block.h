// The block at the start of a session: user.md, MEMORY.md, how to use this memory, a task's working state, and as its last line
// the session's id. At most 9,500 bytes after escaping. What does not fit goes in this order, in whole lines from the end: the task
// beyond 1,500 bytes, the core of MEMORY.md, the person's own part of it.
//
// A session's block stays the same to the byte, so that a provider's prompt cache holds. It is made anew after a compaction, and
// where a text in it was forgotten, corrected, deleted by hand, or may not be sent any more; what a consolidation promotes or
// demotes meanwhile comes with the next session.
#pragma once

#include <string>
#include <string_view>

#include "context/kept_session.h"
#include "memory/memory.h"

namespace loci {

inline constexpr size_t most_injected_bytes = 9'500;  // agents cut at 10,000 bytes, and show a file's name in the place of the text
inline constexpr size_t task_bytes = 1'500;           // that are a task's own, where one is active
inline constexpr size_t longest_session_id = 512;     // bytes

struct SystemBlockParts {
  std::string user;      // of user.md
  std::string memory;    // of MEMORY.md: the person's own part, then the core
  std::string guidance;  // loci's own words, not escaped
  std::string task;      // may be empty
  std::string session;   // may be empty
};

// Within the bytes. Pure.
std::string join_system_block(const SystemBlockParts& parts);

// The session's block: as it was kept, if it still holds and the agent was not compacted since; else as the files are now.
// Without a session always the latter. ErrorCode::usage for an id that is too long.
struct SystemBlockRequest {
  std::string session;
  std::string task;     // an active one whose state is to be in it; empty: the one that the session is linked to, if any
  std::string project;  // if it is linked to none: of the tasks of this project the one that was changed last
  bool compacted = false;
};
Result<std::string> session_block(Memory& memory, const SystemBlockRequest& request);

}  // namespace loci
