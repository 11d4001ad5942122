#include "model/endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace loci {
namespace {

struct Parts {
  bool encrypted = false;
  std::string host;       // in lower case, without brackets
  std::string authority;  // host and port as they go into the address
  std::string_view path;  // "" or "/…" without a final slash
};

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool consists_of(std::string_view text, std::string_view also) {
  return std::ranges::all_of(text, [&](char c) { return is_letter_or_digit(c) || also.contains(c); });
}

bool is_port(std::string_view text) {
  unsigned number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 1 && number <= 65'535;
}

bool is_host(std::string_view host, bool in_brackets) {
  in6_addr address;
  if (in_brackets) return ::inet_pton(AF_INET6, std::string(host).c_str(), &address) == 1;
  return !host.empty() && host.front() != '.' && host.front() != '-' && consists_of(host, ".-");
}

// Another spelling of a loopback address ("127.1") is not taken for one.
bool is_loopback(const std::string& host) {
  in_addr v4;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return host.starts_with("127.");
  return host == "localhost" || host == "::1";
}

// Narrower than RFC 3986 on purpose: two readers of one address must not disagree about its host.
std::optional<Parts> parse_parts(std::string_view text) {
  Parts parts;
  const size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return std::nullopt;
  const std::string scheme = lower(text.substr(0, scheme_end));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  parts.encrypted = scheme == "https";
  text.remove_prefix(scheme_end + 3);

  std::string_view authority = text.substr(0, text.find('/'));
  parts.path = text.substr(authority.size());
  while (parts.path.ends_with('/')) parts.path.remove_suffix(1);
  if (!consists_of(parts.path, "/-._~%+")) return std::nullopt;

  const bool in_brackets = authority.starts_with('[');
  const size_t host_end = in_brackets ? authority.find(']') : authority.find(':');
  if (in_brackets && host_end == std::string_view::npos) return std::nullopt;
  parts.host = lower(authority.substr(in_brackets ? 1 : 0, host_end == std::string_view::npos ? host_end : host_end - in_brackets));
  if (!is_host(parts.host, in_brackets)) return std::nullopt;
  parts.authority = in_brackets ? "[" + parts.host + "]" : parts.host;
  const std::string_view rest = host_end == std::string_view::npos ? "" : authority.substr(host_end + (in_brackets ? 1 : 0));
  if (rest.empty()) return parts;
  if (rest.front() != ':' || !is_port(rest.substr(1))) return std::nullopt;
  parts.authority += rest;
  return parts;
}

// "/v1", "/openai/v1", "/v1beta/openai".
bool has_version(std::string_view path) {
  for (size_t at = path.find("/v"); at != std::string_view::npos; at = path.find("/v", at + 1))
    if (at + 2 < path.size() && path[at + 2] >= '0' && path[at + 2] <= '9') return true;
  return false;
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view base_url, std::string_view version, std::string_view path) {
  const auto parts = parse_parts(base_url);
  // The address itself is not repeated: it may hold a password.
  if (!parts)
    return fail(ErrorCode::usage, "base_url is no address of a model server",
                "write it like https://host or http://localhost:11434, without a user, a query or a fragment");
  Endpoint endpoint;
  endpoint.this_machine = is_loopback(parts->host);
  if (!parts->encrypted && !endpoint.this_machine)
    return fail(ErrorCode::refused, "base_url is plain HTTP to another machine: what is sent there can be read on the way",
                "use https://, or a server on this machine");
  const bool versioned = parts->path.ends_with(version) || (version == "/v1" && has_version(parts->path));
  endpoint.url = std::string(parts->encrypted ? "https://" : "http://") + parts->authority + std::string(parts->path);
  endpoint.url.append(versioned ? "" : version).append(path);
  return endpoint;
}

}  // namespace loci
