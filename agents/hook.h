// What an agent's event does to a vault: what was said is enqueued (agents/spool.h), and what the agent should know comes back. The
// command `loci hook` and the daemon's route share these. Nothing here waits for a lock.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/hook_input.h"
#include "memory/authority.h"
#include "memory/memory.h"
#include "vault/layout/environment.h"

namespace loci {

// Notes and enqueues what happened. Fills in what the agent did not say: `message`, and the answer from the transcript if it lies
// below one of `transcripts`. True: the agent may be given context now. False: it is paused, private, a command of the agent's, or
// this event has none.
Result<bool> record_hook(const Vault& vault, HookInput& input, Actor told_by, std::span<const path> transcripts);

// Where agents keep their transcripts.
std::vector<path> transcript_folders(const Environment& environment);

}  // namespace loci
