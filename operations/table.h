// All operations, in one table. A constant.
#pragma once

#include <span>
#include <string_view>

#include "operations/operation.h"

namespace loci {

std::span<const MemoryOperation* const> all_operations();
const MemoryOperation* find_tool(std::string_view name);  // of an MCP tool; null if there is none

}  // namespace loci
