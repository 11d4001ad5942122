#include "mcp/server.h"

#include <algorithm>

#include "mcp/completion.h"
#include "mcp/instructions.h"
#include "mcp/prompts.h"
#include "mcp/resources.h"
#include "mcp/tools.h"

namespace loci::mcp {
namespace {

constexpr int list_ttl_ms = 3'600'000;  // what is listed changes with the program only

// Everything fits one page, so that no cursor was ever given out.
RpcResult<void> check_no_cursor(const Message& request) {
  if (!request.params.find("cursor")) return {};
  return std::unexpected(RpcError{RpcError::invalid_params, "unknown cursor"});
}

Json cacheable(Json result, int ttl_ms) {
  result.add_unchecked("ttlMs", ttl_ms);
  result.add_unchecked("cacheScope", "private");
  return result;
}

bool is_list(std::string_view method) { return method.ends_with("/list"); }

RpcError unknown_method(const std::string& method) { return {RpcError::method_not_found, "there is no method '" + method + "'"}; }

}  // namespace

Json Server::answer(const Message& request) {
  if (const auto checked = check_era(request); !checked) return error_message(request.id, checked.error());
  const auto result = result_of(request);
  return result ? result_message(request.id, decorated(request, *result)) : error_message(request.id, result.error());
}

RpcResult<Json> Server::result_of(const Message& request) {
  const std::string& method = request.method;
  if (is_list(method))
    if (const auto checked = check_no_cursor(request); !checked) return std::unexpected(checked.error());
  if (method == "tools/list") return list_tools();
  if (method == "tools/call") return call_tool(host_, request);
  if (method == "resources/list") return list_resources();
  if (method == "resources/templates/list") return list_resource_templates();
  if (method == "resources/read") return read_resource(host_, request);
  if (method == "prompts/list") return list_prompts();
  if (method == "prompts/get") return get_prompt(request);
  if (method == "completion/complete") return complete(host_, request);
  if (request.modern) return method == "server/discover" ? RpcResult<Json>(discover()) : std::unexpected(unknown_method(method));
  if (method == "initialize") return initialize(request);
  if (method == "ping") return Json::object();
  return std::unexpected(unknown_method(method));
}

Json Server::about_server() const {
  Json about = Json::object();
  about.add_unchecked("name", "loci");
  about.add_unchecked("title", "loci memory");
  about.add_unchecked("version", host_.version);
  return about;
}

Json Server::capabilities(bool modern) const {
  Json all = Json::object();
  all.add_unchecked("tools", Json::object());
  Json resources = Json::object();
  if (modern ? host_.can_subscribe : host_.can_subscribe_legacy) resources.add_unchecked("subscribe", true);
  all.add_unchecked("resources", std::move(resources));
  all.add_unchecked("prompts", Json::object());
  all.add_unchecked("completions", Json::object());
  return all;
}

RpcResult<Json> Server::initialize(const Message& request) const {
  const std::string* asked = request.params.string_at("protocolVersion");
  if (!asked) return std::unexpected(RpcError{RpcError::invalid_params, "\"protocolVersion\" is a string"});
  const bool is_known = std::ranges::find(legacy_versions, *asked) != std::end(legacy_versions);
  Json result = Json::object();
  result.add_unchecked("protocolVersion", is_known ? std::string_view(*asked) : legacy_versions[0]);
  result.add_unchecked("capabilities", capabilities(false));
  result.add_unchecked("serverInfo", about_server());
  result.add_unchecked("instructions", instructions);
  return result;
}

Json Server::discover() const {
  Json result = Json::object();
  result.add_unchecked("supportedVersions", Json::Array{Json(modern_version)});
  result.add_unchecked("capabilities", capabilities(true));
  result.add_unchecked("instructions", instructions);
  return result;
}

// What the modern era wants in every result.
Json Server::decorated(const Message& request, Json result) const {
  if (!request.modern) return result;
  if (is_list(request.method) || request.method == "server/discover") result = cacheable(std::move(result), list_ttl_ms);
  if (request.method == "resources/read") result = cacheable(std::move(result), 0);
  result.add_unchecked("resultType", "complete");
  Json meta = Json::object();
  meta.add_unchecked(std::string(server_key), about_server());
  result.set("_meta", std::move(meta));
  return result;
}

}  // namespace loci::mcp
