// The resources of MCP: what is always in an agent's prompt, and each entry by its id.
#pragma once

#include "mcp/server.h"

namespace loci::mcp {

inline constexpr std::string_view core_uri = "memory://core", user_uri = "memory://user";
inline constexpr std::string_view entry_uri_prefix = "memory://entry/", entry_uri_template = "memory://entry/{id}";

bool is_resource_uri(std::string_view uri);                                 // whether one is of this form; there may be none
Result<std::string> resource_text(Memory& memory, const std::string& uri);  // as the index knows it

Json list_resources();
Json list_resource_templates();
RpcResult<Json> read_resource(const Host& host, const Message& request);

}  // namespace loci::mcp
