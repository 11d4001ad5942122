// A period without a model: what was said and stored, day by day, thread by thread, as markdown. Pure but for the calendar of the
// clock.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "capture/digest.h"

namespace loci {

// By day, within it by the time at which a thread has its first entry of the day, facts without a session last. The entries of a
// thread are in the order of its turns, those of no session by time. Entries without a date are left out.
std::vector<DigestDay> days_of(const Clock& clock, std::vector<Entry> entries);

std::string timeline(const std::vector<DigestDay>& days);

}  // namespace loci
