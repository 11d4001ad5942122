// Work that outlives a conversation. While a task is active its working state is an entry of the archive in L0 (category
// "working-state"), so that every session can begin with it; each update appends a new one and ends the one before. At its end a
// task-summary in L2 takes its place. Conversations link to a task by the `task` of their turns.
//
// Several processes may change one task at once: the lock of the turns is held around looking and appending.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

struct TaskInput {
  std::string task;
  std::string state = {}, conclusions = {};  // either may be empty
  std::string project = {}, session = {};
  std::vector<std::string> tags = {};
};

// {"state"?,"conclusions"?,"project"?,"session"?,"tags"?}; nothing at all is an empty object. ErrorCode::usage says what is wrong.
Result<TaskInput> parse_task(std::string_view json, std::string task);

struct StoredTask {
  std::vector<Appended> entries;  // what was appended; empty: it was known
  Searchable searchable;
};

// Active from now on, with a working state or without. Once more with the same or no state adds nothing; ErrorCode::refused if it
// is active with another one.
Result<StoredTask> start_task(Memory& memory, const TaskInput& task);

// Another working state; project, session and tags stay where none are given. ErrorCode::not_found if it is not active.
Result<StoredTask> update_task(Memory& memory, const TaskInput& task);

// Its conclusions and its working state as a task-summary in L2; it is active no more. The same again adds nothing.
// ErrorCode::usage if there is nothing to say.
Result<StoredTask> complete_task(Memory& memory, const TaskInput& task);

struct Task {
  std::string task, state, project;
  std::vector<std::string> tags;
  std::optional<Instant> at;          // of its state
  std::vector<std::string> sessions;  // that link to it, the latest last
  Entry entry;                        // the state as it stands
};

// The one that was changed last comes first. The index has been brought up to date.
Result<std::vector<Task>> active_tasks(Memory& memory);

}  // namespace loci
