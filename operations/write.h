// The agent's way to write.
#pragma once

#include "operations/operation.h"

namespace loci {

extern const MemoryOperation write_operation;

}  // namespace loci
