// Storing what was said: one turn of a conversation, up to two entries with one number, which code gives out. In
// archive/sessions/…; L2. Many processes may store turns of one session at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

struct TurnInput {
  std::string session;
  std::optional<std::int64_t> turn;  // as the caller counts; storing it again changes nothing
  std::string message_id;            // likewise; the caller's own id
  std::string user, assistant;       // one of them may be empty
  std::string project;
  std::optional<Instant> at;
};

// {"user","assistant","project"?,"at"?}. ErrorCode::usage says what is wrong.
Result<TurnInput> parse_turn(std::string_view json);

struct StoredTurn {
  std::string session;
  std::int64_t turn = 0;
  std::vector<Appended> entries;  // empty if it was known already, or turns are not kept
  bool known = false;
  Searchable searchable;
};

// [capture] turns: `full` stores it; `summary` and `off` store nothing but count it. ErrorCode::refused for a number or message id
// that is known with other words: nothing is overwritten.
Result<StoredTurn> store_turn(Memory& memory, const TurnInput& turn);

}  // namespace loci
