#include "http/guard.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace loci {
namespace {

constexpr size_t token_digits = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equals_ignoring_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

// Takes as long for a token that is wrong from the first digit as for one that is wrong in the last.
bool same_token(std::string_view given, std::string_view expected) {
  if (given.size() != expected.size() || expected.empty()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(expected[i]));
  volatile unsigned result = difference;
  return result == 0;
}

bool has_token(std::string_view authorization, std::string_view expected) {
  constexpr std::string_view scheme = "Bearer ";
  if (!equals_ignoring_case(authorization.substr(0, scheme.size()), scheme)) return false;
  authorization.remove_prefix(scheme.size());
  return same_token(authorization, expected);
}

// "127.0.0.1:7777"; the port may be missing only where it is the usual one.
bool is_authority(std::string_view given, std::string_view host, std::uint16_t port) {
  if (!equals_ignoring_case(given.substr(0, host.size()), host)) return false;
  given.remove_prefix(host.size());
  return given == ":" + std::to_string(port) || (port == 80 && given.empty());
}

bool is_json(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ') || content_type.ends_with('\t')) content_type.remove_suffix(1);
  return equals_ignoring_case(content_type, "application/json");
}

HttpResponse refusal(int status, ErrorCode code, const char* message, const char* hint) {
  return error_response(Error{code, message, hint}, status);
}

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

std::optional<HttpResponse> HttpGuard::refuse(const HttpRequest& request) const {
  const auto is_own = [&](std::string_view authority) {
    return is_authority(authority, host, port) || is_authority(authority, "localhost", port);
  };
  if (request.host.empty()) return refusal(400, ErrorCode::usage, "the request has no Host", "");
  if (!request.local && !is_own(request.host))
    return refusal(421, ErrorCode::refused, "this is not the Host that you asked for", "use the address that [http] listen names");
  constexpr std::string_view http = "http://";
  const bool own_origin = !request.local && request.origin.starts_with(http) && is_own(request.origin.substr(http.size()));
  if (!request.origin.empty() && !own_origin)
    return refusal(403, ErrorCode::refused, "web pages of other origins have no access", "");
  if (!request.local && !has_token(request.authorization, token)) {
    auto response = refusal(401, ErrorCode::refused, "the bearer token is missing or wrong",
                            "send 'Authorization: Bearer TOKEN'; the token is in the file that [http] token_file names");
    response.headers["WWW-Authenticate"] = "Bearer";
    return response;
  }
  if (request.body.size() > max_request_body) return refusal(413, ErrorCode::refused, "the body is larger than 1 MiB", "");
  const bool says_no_type = request.content_type.empty() && request.body.empty();
  if (!says_no_type && !is_json(request.content_type))
    return refusal(415, ErrorCode::usage, "the body is not application/json", "send 'Content-Type: application/json'");
  return std::nullopt;
}

std::string make_token() {
  std::array<char, token_digits / 2> bytes{};
  // Cannot fail or fall short for so few bytes (getrandom(2)), but for a signal before the kernel's pool is ready.
  while (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) continue;
  return hex(std::string_view(bytes.data(), bytes.size()), token_digits);
}

Result<std::string> read_or_make_token(FileSystem& files, const path& file) {
  const auto fd = files.open(file, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd && fd.error().code == ErrorCode::not_found) {
    std::string token = make_token();
    TRY(make_folders(files, file.parent_path()));
    TRY(write_file(files, file, token + "\n"));
    return token;
  }
  if (!fd) return std::unexpected(fd.error());
  const auto status = TRY(files.status(*fd, file));
  if ((status.st_mode & 077) != 0)
    return fail(ErrorCode::refused, "others may read the token in " + file.string(), "chmod 600 '" + file.string() + "'");
  std::string token = TRY(files.read_all(*fd, file, 4096));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.size() != token_digits || !is_hex(token))
    return fail(ErrorCode::refused, "there is no token of 64 hex digits in " + file.string(), "remove the file to get a new one");
  return token;
}

}  // namespace loci
