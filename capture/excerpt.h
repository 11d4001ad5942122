// The beginning of a text on one line, for timelines. Pure.
#pragma once

#include <string>
#include <string_view>

namespace loci {

// White space collapsed, cut to at most `most` code points, with an ellipsis where something is missing.
std::string excerpt(std::string_view text, size_t most);

// The same of its first line that is not blank.
std::string first_line(std::string_view text, size_t most);

}  // namespace loci
