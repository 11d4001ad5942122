// The query of a request as typed values. A parameter that the route does not know is an error, like an unknown option.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "http/message.h"

namespace loci {

// ErrorCode::usage names the first parameter that is none of these.
Status check_parameters(const HttpRequest& request, std::initializer_list<std::string_view> known);

// The value, or empty.
std::string text_parameter(const HttpRequest& request, std::string_view name);
// "?history", "?history=1" and "?history=true" are true; absent, "0" and "false" are false.
Result<bool> flag_parameter(const HttpRequest& request, std::string_view name);

}  // namespace loci
