// In what encoding a file of another program is: UTF-8, or UTF-16 that says so by a byte order mark, as Windows programs save it.
#pragma once

#include <string>
#include <string_view>

#include "importers/json_stream.h"

namespace loci::importers {

// The same bytes in UTF-8 and without a byte order mark. Half of a surrogate pair, and half of a unit at the end, become U+FFFD.
// What has no mark comes as it is.
ByteReader in_utf8(ByteReader read);
std::string in_utf8(std::string bytes);

// With "\n" at the end of every line, whatever ended it.
std::string with_line_feeds(std::string_view text);
// What a file says, whatever it was saved by: both of the above.
std::string text_of_file(std::string bytes);

}  // namespace loci::importers
