#include "mcp/message.h"

#include <algorithm>

namespace loci::mcp {
namespace {

constexpr JsonLimits limits{.bytes = size_t{4} << 20, .depth = 64, .mends_characters = true};

Json envelope(const Json& id) {
  Json message = Json::object();
  message.add_unchecked("jsonrpc", "2.0");
  message.add_unchecked("id", id);
  return message;
}

bool is_id(const Json& id) { return id.as_string() || id.as_integer(); }

// A client of the modern era says more about itself than a progress token.
bool says_modern(const Message& message) {
  if (message.method == "server/discover" || message.method == "subscriptions/listen") return true;
  const Json* meta = message.meta();
  return meta && (meta->find(version_key) || meta->find(capabilities_key));
}

std::unexpected<Json> invalid(const Json& id, std::string why) {
  return std::unexpected(error_message(id, {RpcError::invalid_request, std::move(why)}));
}

}  // namespace

std::expected<Message, Json> read_message(std::string_view text, bool modern) {
  const auto json = parse_json(text, limits);
  if (!json) return std::unexpected(error_message({}, {RpcError::parse_error, "not JSON: " + json.error().message}));
  if (json->as_array()) return invalid({}, "batches are not taken: send one message at a time");
  if (!json->as_object()) return invalid({}, "a message is an object");
  const Json* id = json->find("id");
  const Json known_id = id && is_id(*id) ? *id : Json();
  if (json->text_at("jsonrpc") != "2.0") return invalid(known_id, "\"jsonrpc\" is \"2.0\"");
  const Json* method = json->find("method");
  Message message;
  if (!method && (json->find("result") || json->find("error"))) {
    message.kind = Message::Kind::response;
    return message;
  }
  if (!method || !method->as_string()) return invalid(known_id, "\"method\" is a string");
  if (id && !is_id(*id)) return invalid({}, "\"id\" is a string or an integer");
  message.kind = id ? Message::Kind::request : Message::Kind::notification;
  message.id = known_id;
  message.method = *method->as_string();
  const Json* params = json->find("params");
  const Json* own_meta = params ? params->find("_meta") : nullptr;
  const bool has_wrong_params = (params && !params->as_object()) || (own_meta && !own_meta->as_object());
  if (!id && has_wrong_params) return message;  // nobody waits for an answer to a notification, be it wrong
  const auto wrong_params = [&](const char* why) {
    return std::unexpected(error_message(known_id, {RpcError::invalid_params, why}));
  };
  if (params && !params->as_object()) return wrong_params("\"params\" is an object");
  if (params) message.params = *params;
  if (const Json* meta = message.meta(); meta && !meta->as_object()) return wrong_params("\"params._meta\" is an object");
  message.modern = modern || says_modern(message);
  return message;
}

RpcResult<void> check_era(const Message& message) {
  if (!message.modern) return {};
  const Json* meta = message.meta();
  const Json* version = meta ? meta->find(version_key) : nullptr;
  if (!version || !version->as_string())
    return std::unexpected(RpcError{RpcError::invalid_params, "params._meta lacks \"" + std::string(version_key) + "\""});
  if (*version->as_string() != modern_version) return std::unexpected(unsupported(*version->as_string()));
  const Json* capabilities = meta->find(capabilities_key);
  if (!capabilities || !capabilities->as_object())
    return std::unexpected(RpcError{RpcError::invalid_params, "params._meta lacks \"" + std::string(capabilities_key) + "\""});
  return {};
}

RpcError unsupported(const std::string& version) {
  Json data = Json::object();
  data.add_unchecked("supported", Json::Array{Json(modern_version)});
  data.add_unchecked("requested", version);
  return {RpcError::unsupported_version, "unsupported protocol version", std::move(data)};
}

Json result_message(const Json& id, Json result) {
  Json message = envelope(id);
  message.add_unchecked("result", std::move(result));
  return message;
}

Json error_message(const Json& id, const RpcError& error) {
  Json body = Json::object();
  body.add_unchecked("code", static_cast<int>(error.code));
  body.add_unchecked("message", error.message);
  if (!error.data.is_null()) body.add_unchecked("data", error.data);
  Json message = envelope(id);
  message.add_unchecked("error", std::move(body));
  return message;
}

Json notification(std::string_view method, Json params) {
  Json message = Json::object();
  message.add_unchecked("jsonrpc", "2.0");
  message.add_unchecked("method", method);
  message.add_unchecked("params", std::move(params));
  return message;
}

}  // namespace loci::mcp
