#include "model/fence.h"

#include <utility>

#include "base/json.h"

namespace loci {
namespace {

// JSON lets these stand in a string, and some readers end a line there.
constexpr std::string_view next_line = "\xC2\x85", line_separator = "\xE2\x80\xA8", paragraph_separator = "\xE2\x80\xA9";

// The escape for what `text` begins with, and how many bytes it stands for; empty if it may stand as it is.
std::pair<std::string_view, size_t> escape_at(std::string_view text) {
  switch (text.front()) {
    case '<':
      return {"\\u003c", 1};
    case '>':
      return {"\\u003e", 1};
    case '&':
      return {"\\u0026", 1};
    case next_line.front():
      if (text.starts_with(next_line)) return {"\\u0085", next_line.size()};
      break;
    case line_separator.front():
      if (text.starts_with(line_separator)) return {"\\u2028", line_separator.size()};
      if (text.starts_with(paragraph_separator)) return {"\\u2029", paragraph_separator.size()};
      break;
    default:
      break;
  }
  return {};
}

}  // namespace

std::string fenced(std::string_view text) {
  const std::string quoted = to_string(Json(text));
  std::string out;
  out.reserve(quoted.size());
  for (std::string_view rest = quoted; !rest.empty();) {
    const auto [escape, length] = escape_at(rest);
    out += length == 0 ? rest.substr(0, 1) : escape;
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string fence(std::string_view name, std::string_view lines) {
  std::string out = "<" + std::string(name) + ">\n";
  out += lines;
  if (!lines.empty() && lines.back() != '\n') out += '\n';
  return out + "</" + std::string(name) + ">\n";
}

}  // namespace loci
