// The input of an operation as JSON Schema (2020-12), for MCP. Pure.
#pragma once

#include "base/json.h"
#include "operations/operation.h"

namespace loci {

// Of what an agent may give.
Json input_schema_of(const MemoryOperation& operation);

// A page for a model has no more than this, whatever a program may ask for.
inline constexpr std::int64_t most_for_model = 100;

}  // namespace loci
