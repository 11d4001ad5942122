// Who may ask what: the checks before any route. Pure, so that every combination of Host, Origin, token and route is a row of a
// test.
//
// Binding to 127.0.0.1 keeps neither a web page out (DNS rebinding: only an exact Host does) nor another local user (a token does),
// so over TCP every route wants all of: an exact Host, an Origin that is absent or our own ("null" is not), and the bearer token.
// The unix socket's mode 0600 is its own proof; there an Origin is refused all the same, because no browser has business there.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"
#include "http/message.h"

namespace loci {

struct HttpGuard {
  std::string token;       // 256 bits as 64 hex digits; compared in constant time
  std::uint16_t port = 0;  // of the TCP listener
  std::string host;        // as bound: "127.0.0.1" or "[::1]"; "localhost" is accepted beside it

  // The response that refuses the request, or none. 400 no Host, 421 a wrong one, 403 an Origin, 401 a token, 415 a body that is
  // not application/json, 413 too large.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;
};

// 64 hex digits from the kernel.
std::string make_token();
// Reads the token file, or makes it (0600). ErrorCode::refused if others may read it.
Result<std::string> read_or_make_token(FileSystem& files, const path& file);

}  // namespace loci
