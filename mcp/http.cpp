#include "mcp/http.h"

#include <algorithm>

namespace loci::mcp {
namespace {

bool is_legacy(std::string_view version) { return std::ranges::find(legacy_versions, version) != std::end(legacy_versions); }

HttpAnswer json(int status, const Json& message) { return {status, to_string(message) + '\n'}; }

// Which parameter of a method its Mcp-Name repeats; empty: none.
std::string_view named_by(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : "";
}

RpcError mismatch(const std::string& header) {
  return {RpcError::header_mismatch, header + " is missing, or does not say what the body says"};
}

RpcResult<void> check_headers(const HttpPost& post, const Message& message) {
  const Json* meta = message.meta();
  const std::string* version = meta ? meta->string_at(version_key) : nullptr;
  if (version && post.version != *version) return std::unexpected(mismatch("MCP-Protocol-Version"));
  if (!post.method || decoded_header(*post.method) != message.method) return std::unexpected(mismatch("Mcp-Method"));
  const std::string_view named = named_by(message.method);
  const std::string* name = named.empty() ? nullptr : message.params.string_at(named);
  if (name && (!post.name || decoded_header(*post.name) != *name)) return std::unexpected(mismatch("Mcp-Name"));
  return {};
}

// What a handler answers is a success of HTTP, an error of its own too; a method that there is not is a page that there is not.
int status_of(const Message& message, const Json& answer) {
  const Json* error = answer.find("error");
  return error && message.modern && error->integer_at("code") == RpcError::method_not_found ? 404 : 200;
}

int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6 | static_cast<unsigned>(value)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

}  // namespace

std::string decoded_header(std::string_view value) {
  constexpr std::string_view begin = "=?base64?", end = "?=";
  if (!value.starts_with(begin) || !value.ends_with(end) || value.size() < begin.size() + end.size()) return std::string(value);
  const auto decoded = from_base64(value.substr(begin.size(), value.size() - begin.size() - end.size()));
  return decoded.value_or(std::string(value));
}

HttpAnswer answer_post(Server& server, const HttpPost& post, const Listen& listen) {
  const bool says_modern = post.version == modern_version;
  const auto message = read_message(post.body, says_modern);
  if (!message) return json(400, message.error());
  const auto refused = [&](const RpcError& error) { return json(400, error_message(message->id, error)); };
  if (message->kind != Message::Kind::request) return {202, {}};
  if (message->modern) {
    if (const auto checked = check_headers(post, *message); !checked) return refused(checked.error());
    if (const auto checked = check_era(*message); !checked) return refused(checked.error());
  } else if (post.version && !is_legacy(*post.version)) {
    return refused(unsupported(*post.version));
  }
  if (listen && message->modern && message->method == "subscriptions/listen") {
    const auto error = listen(*message);
    return error ? json(200, *error) : HttpAnswer{};
  }
  const Json answer = server.answer(*message);
  return json(status_of(*message, answer), answer);
}

}  // namespace loci::mcp
