// A request and a response as the routes see them: no sockets, no library. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "http/stream.h"

namespace loci {

struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // decoded, without the query: "/memory/entries/01jd8x2k9c4q"; valid UTF-8 without NUL
  std::map<std::string, std::string, std::less<>> query;            // decoded
  std::string host, origin, authorization, content_type, if_match;  // headers; empty if absent
  std::string if_none_match, cookie, fetch_site, panel_key;         // Sec-Fetch-Site, X-Loci-Key
  std::optional<std::string> mcp_version, mcp_method, mcp_name;     // MCP-Protocol-Version, Mcp-Method, Mcp-Name
  std::string body;                                                 // at most max_request_body
  bool local = false;                                               // came over the unix socket
  bool from_command_line = false;  // local, and says so (X-Loci-Client: cli): its writes are the user's
  bool from_panel = false;         // of a browser that logged in to the panel: so are its writes

  bool is_of_a_person() const { return from_command_line || from_panel; }
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::map<std::string, std::string> headers;  // further ones: ETag, Retry-After
  std::shared_ptr<HttpBody> stream = {};       // in the place of `body`: sent as it is made
  std::string heartbeat = {};                  // of a stream that may be silent for long: sent every 15 s then
};

inline constexpr size_t max_request_body = size_t{1} << 20;

// Called once, from any thread.
using Respond = std::function<void(HttpResponse)>;

HttpResponse json_response(const Json& body, int status = 200);
// The error shape of the command line ({"v":1,"error":{…}}), with the status that fits its code: usage 400, not_found 404,
// locked 503, refused 409, remote 502, failed 500; or with another that says more (412 for a failed If-Match).
HttpResponse error_response(const Error& error, int status = 0);

}  // namespace loci
