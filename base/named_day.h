// Which day an instant stands for.
#pragma once

#include <string>

#include "base/clock.h"

namespace loci {

// "2026-11-21": of the first moment of a day in UTC, which is what parse_time makes of a date, that date, wherever it is read; of
// any other instant the date on the clock on the wall.
std::string named_day(const Clock& clock, Instant instant);

}  // namespace loci
