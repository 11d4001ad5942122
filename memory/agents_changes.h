// What agents changed or removed of what a person said: in effect at once, listed by `status` until a person has seen it, and
// stopped where it becomes much. Read off the tombstones; what is seen is kept in the state folder. One thread.
#pragma once

#include <string>
#include <vector>

#include "memory/memory.h"
#include "vault/layout/problem.h"

namespace loci {

struct AgentsChange {
  Instant at;
  std::string id;             // of the entry that gave way
  std::string file;           // where it stood; empty if that is not known
  std::string before;         // what it said
  std::string superseded_by;  // empty: it was removed
  bool words_stay = false;    // what took its place has other tags, and says the same
};

// Of entries with source `user` or `correction`, and of those that say word for word what such a one says, not restored and not
// seen yet; by time. Of what went together each, but none for the same words.
Result<std::vector<AgentsChange>> unseen_agents_changes(Memory& memory);

// For `status`.
std::vector<Problem> problems_of(const std::vector<AgentsChange>& changes);

// A person has looked at all there are by now. How many there were.
Result<size_t> mark_agents_changes_seen(Memory& memory);

// An entry that was folded of equal words of an agent and of a person is not an agent's to end, or to reword without the person's
// word for it: ErrorCode::refused. The agent takes back what it wrote, and what the person said would go with that.
Status check_agent_alone_said_it(Memory& memory, const Entry& entry);

// May an agent change one more entry of a person's? ErrorCode::refused if within a day it did so more than 3 times and with more
// than 10 % of all, until a person has seen them. What goes with one command counts once.
Status check_agents_changes(Memory& memory, const Entry& entry);

}  // namespace loci
