// MCP over HTTP: what a POST to /mcp is answered. The modern era repeats in headers what the body says, so that whoever stands
// between can route by it; both have to agree. Nothing is kept between requests, and no session id is given. Pure but for what the
// server does.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "mcp/server.h"

namespace loci::mcp {

struct HttpPost {
  std::optional<std::string> version, method, name;  // MCP-Protocol-Version, Mcp-Method, Mcp-Name
  std::string body;
};

struct HttpAnswer {
  int status = 200;
  std::string body;  // JSON; empty for 202
};

// What is answered over time: none if that goes on from here, and the answer's body then stays empty; else the error to send.
using Listen = std::function<std::optional<Json>(const Message& request)>;

HttpAnswer answer_post(Server& server, const HttpPost& post, const Listen& listen = {});

// A header's value, which stands as =?base64?…?= if it is not plain ASCII.
std::string decoded_header(std::string_view value);

}  // namespace loci::mcp
