// The agent's way to write.
#pragma once

#include "memory/remember.h"
#include "operations/operation.h"

namespace loci {

// What was asked, unless the person has paused the memory, or the target is one that the actor may not see: it is not there then.
Result<Remembered> write_memory(Memory& memory, RememberRequest request, Actor actor);

Json to_json(const Remembered& remembered);

extern const MemoryOperation write_operation;

}  // namespace loci
