// MCP over HTTP.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

// A JSON-RPC message; what writes waits for its turn in the write queue. Who asks is an agent, over the unix socket too.
Result<HttpResponse> post_mcp(const RouteCall& call);

}  // namespace loci
