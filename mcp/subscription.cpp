#include "mcp/subscription.h"

#include "base/hash.h"
#include "mcp/resources.h"

namespace loci::mcp {
namespace {

std::string content_of(Memory& memory, const std::string& uri) {
  const auto text = resource_text(memory, uri);
  return text ? hex(as_bytes(sha256(*text)), 32) : "error: " + std::string(name_of(text.error().code));
}

// What cannot be had at all is as it was: whoever listens is told when it can be had again, if it is another one then.
void read_all(const Host& host, std::map<std::string, std::string>& contents) {
  (void)host.with_memory(false, [&](Memory& memory) -> Status {
    TRY(memory.bring_up_to_date());
    for (auto& [uri, content] : contents) content = content_of(memory, uri);
    return {};
  });
}

}  // namespace

RpcResult<Subscription> Subscription::listening(const Message& request) {
  const auto wrong = [](const char* why) { return std::unexpected(RpcError{RpcError::invalid_params, why}); };
  const Json* wanted = request.params.find("notifications");
  if (!wanted || !wanted->as_object()) return wrong("\"notifications\" is an object");
  Subscription subscription(request.id);
  const Json* uris = wanted->find("resourceSubscriptions");
  if (!uris) return subscription;
  if (!uris->as_array()) return wrong("\"resourceSubscriptions\" is a list of URIs");
  constexpr size_t most = 1'000;
  if (uris->as_array()->size() > most) return wrong("a subscription has at most 1000 resources");
  for (const Json& uri : *uris->as_array()) {
    if (!uri.as_string()) return wrong("\"resourceSubscriptions\" is a list of URIs");
    if (is_resource_uri(*uri.as_string())) subscription.contents_.emplace(*uri.as_string(), "");
  }
  return subscription;
}

Status Subscription::add(const Host& host, const std::string& uri) {
  if (!is_resource_uri(uri)) return fail(ErrorCode::not_found, "there is no such resource");
  std::map<std::string, std::string> added = {{uri, ""}};
  read_all(host, added);
  contents_.merge(added);
  return {};
}

void Subscription::begin(const Host& host) { read_all(host, contents_); }

Json Subscription::with_id(Json params) const {
  if (id_.is_null()) return params;
  Json meta = Json::object();
  meta.add_unchecked(std::string(subscription_key), id_);
  params.set("_meta", std::move(meta));
  return params;
}

Json Subscription::acknowledgement() const {
  Json uris = Json::array();
  for (const auto& [uri, content] : contents_) uris.push_back(uri);
  Json honoured = Json::object();
  if (has_any()) honoured.add_unchecked("resourceSubscriptions", std::move(uris));
  Json params = Json::object();
  params.add_unchecked("notifications", std::move(honoured));
  return notification("notifications/subscriptions/acknowledged", with_id(std::move(params)));
}

std::vector<Json> Subscription::changes(const Host& host) {
  std::vector<Json> told;
  if (!has_any()) return told;
  const auto before = contents_;
  read_all(host, contents_);
  for (const auto& [uri, content] : contents_) {
    if (content == before.at(uri)) continue;
    Json params = Json::object();
    params.add_unchecked("uri", uri);
    told.push_back(notification("notifications/resources/updated", with_id(std::move(params))));
  }
  return told;
}

Json Subscription::ending() const {
  Json result = Json::object();
  result.add_unchecked("resultType", "complete");
  return result_message(id_, with_id(std::move(result)));
}

}  // namespace loci::mcp
