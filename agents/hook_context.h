// What an agent is given at an event: the system block at the start of a conversation, the message block in front of a message
// (context/context.h). One thread.
#pragma once

#include <string>

#include "agents/hook_input.h"
#include "memory/memory.h"

namespace loci {

// From the index as it is. Empty for an event that gives nothing, and where nothing is worth saying.
Result<std::string> hook_context(Memory& memory, const HookInput& input);

// What the agent reads; "{}" where there is nothing.
Json hook_answer(const HookInput& input, const std::string& context);

}  // namespace loci
