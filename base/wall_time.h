// The time of day on the clock on the wall, beside Clock::local_date.
#pragma once

#include <string>

#include "base/clock.h"

namespace loci {

// "20:14" of an instant where this machine is.
std::string wall_time(Instant instant);

}  // namespace loci
