#include "base/named_day.h"

namespace loci {

std::string named_day(const Clock& clock, Instant instant) {
  const bool is_a_date = std::chrono::floor<std::chrono::days>(instant) == instant;
  return is_a_date ? utc_date(instant) : clock.local_date(instant);
}

}  // namespace loci
