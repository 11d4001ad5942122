// Completion of MCP: tags, projects, sessions and ids that the memory has.
#pragma once

#include "mcp/server.h"

namespace loci::mcp {

RpcResult<Json> complete(const Host& host, const Message& request);

}  // namespace loci::mcp
