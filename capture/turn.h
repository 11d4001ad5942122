// Storing what was said: one turn of a conversation, up to two entries with one number, which code gives out. In
// archive/sessions/…; L2. Many processes may store turns of one session at once: a lock in the state folder is held around looking
// for a turn and storing it.
//
// [capture] turns = "full" stores it. "summary" keeps its words in the state folder (mode 0600, of this machine alone) until the
// session ends and is summarised, "off" keeps nothing but its number; neither puts a word of it into the vault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/add.h"
#include "memory/authority.h"
#include "memory/memory.h"

namespace loci {

struct TurnInput {
  std::string session;
  std::optional<std::int64_t> turn;  // as the caller counts; storing it again changes nothing
  std::string message_id;            // likewise; the caller's own id
  std::string user, assistant;       // one of them may be empty
  std::string project;
  std::string task = {};  // that it belongs to
  std::optional<Instant> at;
  // An agent may stop several times at one message, and say something else each time: what differs from what was said last under
  // this id belongs to the same turn, with "/2" behind the id, "/3" and so on.
  bool may_go_on = false;
  bool is_let_in = false;  // whoever heard it saw that nothing was paused then: a pause that began since does not keep it out
  Actor told_by = Actor::person;  // the command line and its hooks, or an agent: whose word it is that the user said this
};

// {"user","assistant"?,"project"?,"task"?,"at"?,"session"?,"turn"?,"message_id"?}, one of "user" and "assistant" at least.
// ErrorCode::usage says what is wrong.
Result<TurnInput> parse_turn(std::string_view json);

struct StoredTurn {
  std::string session;
  std::int64_t turn = 0;
  std::vector<Appended> entries;  // empty if it was known already, or turns are not kept
  bool known = false;
  bool is_private = false;  // not to be remembered (capture/pauses.h): it has no number, and nothing of it was written
  Searchable searchable;
};

// A number or message id that is known with the same words is known = true, and nothing is written; words that a known turn has
// not (the answer to what the user said) are added to it. With other words it is ErrorCode::refused, and nothing is overwritten.
// ErrorCode::usage for a session, number or text that cannot be one; ErrorCode::locked if other processes keep the lock.
Result<StoredTurn> store_turn(Memory& memory, const TurnInput& turn);

// What was stored under this message id goes, with what was made of it: its user says by now that nothing of it is to be
// remembered. As forget() does, but for what says the same elsewhere. An agent's word ends nothing that its user is known to have
// said.
Status forget_turn(Memory& memory, const std::string& session, const std::string& message_id, Actor told_by);

// New entries of which some are turns, with the numbers that their caller gave them: ErrorCode::refused if one is known already,
// whatever was said in it. Else as add().
Result<Added> add_with_turns(Memory& memory, std::vector<NewEntry> entries);

}  // namespace loci
