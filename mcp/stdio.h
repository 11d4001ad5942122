// MCP over standard input and output: one JSON message a line, nothing else on the output. Requests are done one after the other,
// in the order they came; meanwhile further lines are read, so that what is cancelled is not answered and need not even be begun.
#pragma once

#include "mcp/server.h"

namespace loci::mcp {

// Until the end of the input: then what was asked is still answered, and it returns. Fails if nobody takes the answers any more.
Status serve_stdio(Server& server, int input, int output);

}  // namespace loci::mcp
