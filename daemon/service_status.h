// The status shape of a vault that a daemon keeps: as the command line's, with what only the daemon knows.
#pragma once

#include "base/json.h"
#include "daemon/consolidate_loop.h"
#include "daemon/embedding_loop.h"
#include "daemon/housekeeper.h"
#include "daemon/index_loop.h"
#include "memory/memory.h"
#include "watcher/watcher.h"

namespace loci {

// What is added: "watcher" {mode, reason, watches, overflows, rescans, last_reason}, "daemon" {pid, version, started_at}, "work"
// while something long goes on, "embeddings" where they are on, "next_check" of "consolidation", and problems that only a daemon
// sees, in "daemon" too, `of_the_daemon` among them: why it does not listen on TCP though it should, and why it did not take over
// new settings.
Result<Json> service_status(Memory& memory, IndexLoop& index, const Watcher& watcher, Housekeeper& housekeeper,
                            ConsolidateLoop& consolidation, EmbeddingLoop* embedding, std::vector<Problem> of_the_daemon,
                            Instant started_at);

}  // namespace loci
