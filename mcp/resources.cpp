#include "mcp/resources.h"

#include "memory/json_shapes.h"
#include "operations/state.h"
#include "operations/visible.h"

namespace loci::mcp {
namespace {

constexpr const char* markdown = "text/markdown";

Json resource(const char* key, std::string_view uri, std::string_view name, std::string_view title, std::string_view description) {
  Json one = Json::object();
  one.add_unchecked(key, uri);
  one.add_unchecked("name", name);
  one.add_unchecked("title", title);
  one.add_unchecked("description", description);
  one.add_unchecked("mimeType", markdown);
  return one;
}

// The text as it stands, and behind it what is needed to cite it.
std::string text_of(const Entry& entry) {
  const EntryPlace& place = entry.places.front();
  return entry.text + "\n\n(" + place.file + ":" + std::to_string(place.line) + ", said by " + std::string(name_of(entry.source)) +
         (entry.at ? ", " + format_rfc3339(*entry.at) : "") + ")\n";
}

RpcError error_of(const Error& error, const std::string& uri, bool modern) {
  if (error.code != ErrorCode::not_found && error.code != ErrorCode::usage) return {RpcError::internal_error, error.message};
  Json data = Json::object();
  data.add_unchecked("uri", uri);
  return {modern ? RpcError::invalid_params : RpcError::resource_not_found, "resource not found: " + uri, std::move(data)};
}

}  // namespace

bool is_resource_uri(std::string_view uri) {
  return uri == core_uri || uri == user_uri || (uri.starts_with(entry_uri_prefix) && uri.size() > entry_uri_prefix.size());
}

Result<std::string> resource_text(Memory& memory, const std::string& uri) {
  if (uri == core_uri) return TRY(always_known(memory, Actor::agent)).core;
  if (uri == user_uri) return TRY(always_known(memory, Actor::agent)).user;
  if (is_resource_uri(uri)) return text_of(TRY(Visible(memory, Actor::agent).find(uri.substr(entry_uri_prefix.size()))));
  return fail(ErrorCode::not_found, "there is no such resource");
}

Json list_resources() {
  Json result = Json::object();
  result.add_unchecked(
      "resources",
      Json::Array{resource("uri", user_uri, "user", "About the user", "user.md: who the user is, in at most 1,000 characters"),
                  resource("uri", core_uri, "core", "Core memory", "MEMORY.md: what matters in every conversation")});
  return result;
}

Json list_resource_templates() {
  Json result = Json::object();
  result.add_unchecked("resourceTemplates", Json::Array{resource("uriTemplate", entry_uri_template, "entry", "One memory",
                                                                 "A memory by its id, with its file and line")});
  return result;
}

RpcResult<Json> read_resource(const Host& host, const Message& request) {
  const std::string* uri = request.params.string_at("uri");
  if (!uri) return std::unexpected(RpcError{RpcError::invalid_params, "\"uri\" is a string"});
  std::string text;
  const auto done = host.with_memory(false, [&](Memory& memory) -> Status {
    TRY(memory.bring_up_to_date());
    text = TRY(resource_text(memory, *uri));
    return {};
  });
  if (!done) return std::unexpected(error_of(done.error(), *uri, request.modern));
  Json content = Json::object();
  content.add_unchecked("uri", *uri);
  content.add_unchecked("mimeType", markdown);
  content.add_unchecked("text", std::move(text));
  Json result = Json::object();
  result.add_unchecked("contents", Json::Array{std::move(content)});
  return result;
}

}  // namespace loci::mcp
