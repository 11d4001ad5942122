#include "panel/panel_guard.h"

#include <algorithm>

#include "panel/page.h"

namespace loci {
namespace {

HttpResponse refusal(int status, ErrorCode code, const char* message, const char* hint = "") {
  return error_response(Error{code, message, hint}, status);
}

bool is_read(std::string_view method) { return method == "GET" || method == "HEAD"; }

bool is_json(std::string_view content_type) {
  return content_type == "application/json" || content_type.starts_with("application/json;");
}

// "none": the person typed the address. A browser that sends nothing is older than the header, or no browser.
bool is_own_site(std::string_view site) { return site.empty() || site == "same-origin" || site == "none"; }

HttpResponse wrong_method(const char* allowed) {
  auto response = refusal(405, ErrorCode::usage, "this method does not work here");
  response.headers["Allow"] = allowed;
  return response;
}

}  // namespace

PanelRoute panel_route_of(std::string_view path) {
  if (is_page_file(path)) return PanelRoute::page;
  if (path == "/login") return PanelRoute::login;
  return path.starts_with("/memory/") ? PanelRoute::memory : PanelRoute::none;
}

std::string cookie_of(std::string_view header, std::string_view name) {
  std::string value;
  while (!header.empty()) {
    const size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
    if (!pair.starts_with(name) || !pair.substr(name.size()).starts_with('=')) continue;
    if (!value.empty()) return {};
    value = pair.substr(name.size() + 1);
  }
  return value;
}

std::optional<HttpResponse> PanelGuard::refuse(const HttpRequest& request) const {
  if (request.host.empty()) return refusal(400, ErrorCode::usage, "the request has no Host");
  if (request.host != host)
    return refusal(421, ErrorCode::refused, "this is not the Host that you asked for", "open the address that 'loci panel' prints");
  if (!request.origin.empty() && request.origin != "http://" + host)
    return refusal(403, ErrorCode::refused, "web pages of other origins have no access");
  const PanelRoute route = panel_route_of(request.path);
  if (route == PanelRoute::none) return refusal(404, ErrorCode::not_found, "this is not here");
  if (route == PanelRoute::page) return is_read(request.method) ? std::nullopt : std::optional(wrong_method("GET, HEAD"));
  if (!is_own_site(request.fetch_site)) return refusal(403, ErrorCode::refused, "web pages of other sites have no access");
  if (route == PanelRoute::login && request.method != "POST") return wrong_method("POST");
  if (route == PanelRoute::memory && !is_logged_in(cookie_of(request.cookie, cookie_name), request.panel_key))
    return refusal(401, ErrorCode::refused, "this page is not logged in, or no longer", "run 'loci panel' again");
  if (is_read(request.method)) return std::nullopt;
  if (request.origin.empty())
    return refusal(403, ErrorCode::refused, "what changes something has to say where it comes from (Origin)");
  if ((!request.body.empty() || !request.content_type.empty()) && !is_json(request.content_type))
    return refusal(415, ErrorCode::usage, "the body is not application/json");
  return std::nullopt;
}

}  // namespace loci
