// The target of a request line, "/memory/search?q=a+b", as its decoded parts. Strict: what could mean one thing here and another
// thing elsewhere is refused. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace loci {

struct HttpTarget {
  std::string path;
  std::map<std::string, std::string, std::less<>> query;
};

// ErrorCode::usage for anything but a path from the root: a bad escape, an escaped NUL, what is no UTF-8, a fragment, a
// parameter that stands twice.
Result<HttpTarget> parse_target(std::string_view target);

// The text with everything but letters, digits and "-._~" escaped.
std::string percent_encoded(std::string_view text);

}  // namespace loci
