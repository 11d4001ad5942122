// Who may ask what on the panel's listener: the checks before any route. Pure but for the question who is logged in, so that every
// combination of Host, Origin, Sec-Fetch-Site, cookie, key and route is a row of a test.
//
//   the page and its files   anybody who names the right Host: nothing in them is secret
//   /login                   a POST of the page's own origin
//   /memory/…                cookie and key; what writes, the page's own origin as well
//   everything else          is not here (/mcp, /hooks, /metrics: those are the bearer's)
//
// Another origin gets nothing but the page, which a browser shows to no other page (frame-ancestors, Cross-Origin-Resource-Policy).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace loci {

enum class PanelRoute : std::uint8_t { page, login, memory, none };
PanelRoute panel_route_of(std::string_view path);

// A POST there ends the login; as any of /memory/, it wants cookie and key.
inline constexpr std::string_view log_out_path = "/memory/log-out";

struct PanelGuard {
  std::string host;  // "127.0.0.1:7777", exactly
  std::string cookie_name;
  std::function<bool(std::string_view cookie, std::string_view key)> is_logged_in;

  // The response that refuses the request, or none. 400 no Host, 421 a wrong one, 403 another site or origin, 404 not here, 405,
  // 401 no login, 415 a body that is not application/json.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;
};

// The value of one cookie of a Cookie header; empty if it has none, or two of that name.
std::string cookie_of(std::string_view header, std::string_view name);

}  // namespace loci
