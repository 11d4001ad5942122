// The tools of MCP, from the table of operations.
#pragma once

#include "mcp/server.h"

namespace loci::mcp {

Json list_tools();
// Protocol errors are for requests that are none (no such tool). What went wrong with a call is a result with isError, with what to
// do about it: a model reads it and tries again.
RpcResult<Json> call_tool(const Host& host, const Message& request);

}  // namespace loci::mcp
