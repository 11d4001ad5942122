// A clock that stands still until a test moves it. Its local time is UTC, or as many hours off as the test says.
#pragma once

#include <chrono>

#include "base/clock.h"

namespace loci {

class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::string_view rfc3339 = "2026-11-21T20:14:43.120Z") : now_(parse_time(rfc3339).value()) {}

  Instant now() const override { return now_; }
  std::string local_date(Instant instant) const override { return utc_date(instant + offset_); }

  void set(std::string_view rfc3339) { now_ = parse_time(rfc3339).value(); }
  void advance(std::chrono::milliseconds by) { now_ += by; }
  void set_offset(std::chrono::hours offset) { offset_ = offset; }

 private:
  Instant now_;
  std::chrono::hours offset_{0};
};

}  // namespace loci
