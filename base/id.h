// Ids of entries: 16 characters that sort by the time they were made, "01jd8x2k9c4qw0r3".
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

namespace loci {

// Ten characters of milliseconds and six random ones (30 bits from the kernel), in Crockford's base 32, lower case:
// the layout of a ULID (https://github.com/ulid/spec) with a shorter tail. Ids made one after the other by one process rise.
// Thread-safe.
std::string make_id(Instant now);

// Whether it looks like one of those.
bool is_made_id(std::string_view id);

}  // namespace loci
