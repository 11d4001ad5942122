// What is always in an agent's prompt, and the state of the memory.
#pragma once

#include "operations/operation.h"

namespace loci {

extern const MemoryOperation status_operation;

// The L0 block as the caller may see it: user.md and the core of MEMORY.md, as they are put before an agent.
struct AlwaysKnown {
  std::string user, core;
};
Result<AlwaysKnown> always_known(Memory& memory, Actor actor);

}  // namespace loci
