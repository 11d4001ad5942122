#include "daemon/routes_parameters.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace loci {
namespace {

Status check(const HttpRequest& request, std::span<const std::string_view> a, std::span<const std::string_view> b) {
  for (const auto& [name, value] : request.query)
    if (std::ranges::find(a, name) == a.end() && std::ranges::find(b, name) == b.end())
      return fail(ErrorCode::usage, "unknown parameter '" + name + "'");
  return {};
}

std::vector<std::string> list_parameter(const HttpRequest& request, std::string_view name) {
  std::vector<std::string> values;
  const std::string text = text_parameter(request, name);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) values.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return values;
}

}  // namespace

Status check_parameters(const HttpRequest& request, std::initializer_list<std::string_view> known) {
  return check(request, known, {});
}

Status check_parameters_beside_filter(const HttpRequest& request, std::initializer_list<std::string_view> known) {
  return check(request, known, filter_parameters);
}

Result<EntryFilter> filter_of(const HttpRequest& request) {
  return filter_from(FilterValues{list_parameter(request, "layer"), list_parameter(request, "kind"),
                                  list_parameter(request, "source"), list_parameter(request, "tag"),
                                  text_parameter(request, "project"), text_parameter(request, "session"),
                                  text_parameter(request, "since"), text_parameter(request, "until")});
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

Result<size_t> number_parameter(const HttpRequest& request, std::string_view name, size_t otherwise, size_t most) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return otherwise;
  const std::string& text = found->second;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && end == text.data() + text.size();
  if (!is_number || (error != std::errc() && error != std::errc::result_out_of_range))
    return fail(ErrorCode::usage, "'" + std::string(name) + "' is a whole number, not '" + text + "'");
  return error == std::errc() ? std::min(number, most) : most;
}

Result<size_t> limit_parameter(const HttpRequest& request, size_t otherwise, size_t most) {
  const auto limit = TRY(number_parameter(request, "limit", otherwise, most));
  if (limit == 0) return fail(ErrorCode::usage, "'limit' is a whole number from 1 up, not '0'");
  return limit;
}

}  // namespace loci
