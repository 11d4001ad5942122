// JSON-RPC 2.0 as MCP uses it: one message in, what it is; the answers. MCP has two eras, and a request says which it is of: from
// revision 2026-07-28 on each carries its version and the client's capabilities in params._meta (modern, stateless); before that a
// connection began with `initialize` (legacy). Source: modelcontextprotocol.io/specification. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/json.h"

namespace loci::mcp {

inline constexpr std::string_view modern_version = "2026-07-28";
inline constexpr std::string_view legacy_versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};  // newest first

inline constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view server_key = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription_key = "io.modelcontextprotocol/subscriptionId";

struct RpcError {
  enum Code : std::int16_t {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    resource_not_found = -32002,  // legacy only
    header_mismatch = -32020,
    unsupported_version = -32022,
  };
  Code code = internal_error;
  std::string message;
  Json data = {};
};

template <typename T>
using RpcResult = std::expected<T, RpcError>;

struct Message {
  enum class Kind : std::uint8_t { request, notification, response };
  Kind kind = Kind::request;
  Json id;  // of a request: a string or an integer
  std::string method;
  Json params = Json::object();
  bool modern = false;

  const Json* meta() const { return params.find("_meta"); }
};

// What is no message fails with the answer to send. `modern`: the road says so (a header) even if the message does not.
std::expected<Message, Json> read_message(std::string_view text, bool modern = false);

// Whether a request of the modern era says what it has to say of itself.
RpcResult<void> check_era(const Message& message);
RpcError unsupported(const std::string& version);

Json result_message(const Json& id, Json result);
Json error_message(const Json& id, const RpcError& error);
Json notification(std::string_view method, Json params);

}  // namespace loci::mcp
