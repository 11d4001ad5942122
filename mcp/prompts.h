// The prompts of MCP: what a person can have an agent told, by name.
#pragma once

#include "mcp/message.h"

namespace loci::mcp {

Json list_prompts();
RpcResult<Json> get_prompt(const Message& request);
bool has_prompt(std::string_view name);

}  // namespace loci::mcp
