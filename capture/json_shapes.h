// What capturing did, as JSON: the answers of `turn`, `session end`, `task` and `digest`, on the command line and over HTTP alike.
// Pure.
#pragma once

#include "base/json.h"
#include "capture/digest.h"
#include "capture/extract.h"
#include "capture/task.h"
#include "capture/turn.h"

namespace loci {

// `extracted` is null where nothing was looked for.
Json stored_turn_to_json(const StoredTurn& stored, const Extracted* extracted = nullptr);
Json ended_session_to_json(const std::string& session, const EndedSession& ended);
Json state_of_task_to_json(const std::string& task, const StoredTask& stored);
Json completed_task_to_json(const std::string& task, const StoredTask& completed);
Json tasks_to_json(const std::vector<Task>& tasks);
Json digest_to_json(const Digest& digest, const DigestScope& scope);

}  // namespace loci
