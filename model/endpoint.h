// The address of a model server, as settings name it, checked. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace loci {

struct Endpoint {
  std::string url;            // of the requests
  bool this_machine = false;  // the host is localhost or a loopback address
};

// `base_url` with `version` ("/v1") and `path` ("/chat/completions") behind it; the version once only, and not at all where the
// base has one of its own ("https://host/v1beta/openai"). ErrorCode::usage for what is no plain base of addresses: another scheme,
// a user, a query, a fragment. ErrorCode::refused for plain HTTP to another machine: text of memories, and a key, would be seen.
Result<Endpoint> parse_endpoint(std::string_view base_url, std::string_view version, std::string_view path);

}  // namespace loci
