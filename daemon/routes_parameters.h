// The query of a request as typed values. A parameter that the route does not know is an error, like an unknown option.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "http/message.h"
#include "indexer/index_reader.h"
#include "memory/filter_values.h"

namespace loci {

// ErrorCode::usage names the first parameter that is none of these.
Status check_parameters(const HttpRequest& request, std::initializer_list<std::string_view> known);

// Those that choose entries: layer, kind, source, tag (several with commas), project, session, since, until.
inline constexpr std::string_view filter_parameters[] = {"layer", "kind", "source", "tag", "project", "session", "since", "until"};
Status check_parameters_beside_filter(const HttpRequest& request, std::initializer_list<std::string_view> known);
Result<EntryFilter> filter_of(const HttpRequest& request);

// The value, or empty.
std::string text_parameter(const HttpRequest& request, std::string_view name);
// "?history", "?history=1" and "?history=true" are true; absent, "0" and "false" are false.
Result<bool> flag_parameter(const HttpRequest& request, std::string_view name);
// `otherwise` if absent, `most` if it is more.
Result<size_t> number_parameter(const HttpRequest& request, std::string_view name, size_t otherwise, size_t most);
// "limit", as the command line's --limit: the same, and 0 is refused.
Result<size_t> limit_parameter(const HttpRequest& request, size_t otherwise, size_t most = most_listed);

}  // namespace loci
