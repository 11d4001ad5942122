#include "daemon/routes_parameters.h"

#include <algorithm>

namespace loci {

Status check_parameters(const HttpRequest& request, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : request.query)
    if (std::ranges::find(known, name) == known.end()) return fail(ErrorCode::usage, "unknown parameter '" + name + "'");
  return {};
}

std::string text_parameter(const HttpRequest& request, std::string_view name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

Result<bool> flag_parameter(const HttpRequest& request, std::string_view name) {
  const auto found = request.query.find(name);
  if (found == request.query.end() || found->second == "0" || found->second == "false") return false;
  if (found->second.empty() || found->second == "1" || found->second == "true") return true;
  return fail(ErrorCode::usage, "'" + std::string(name) + "' is 1 or 0, not '" + found->second + "'");
}

}  // namespace loci
