// In what encoding a file of another program is: UTF-8, or UTF-16 that says so by a byte order mark, as Windows programs save it.
#pragma once

#include <string>

#include "importers/json_stream.h"

namespace loci::importers {

// The same bytes in UTF-8 and without a byte order mark. Half of a surrogate pair, and half of a unit at the end, become U+FFFD.
// What has no mark comes as it is.
ByteReader in_utf8(ByteReader read);
std::string in_utf8(std::string bytes);

}  // namespace loci::importers
