// How well the index knows the files. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/clock.h"

namespace loci {

struct Freshness {
  size_t pending_files = 0;           // changed, and not indexed yet
  std::optional<Instant> checked_at;  // when a sweep last found nothing left to do
  std::string reason;                 // why files are pending; empty if none are

  bool fresh() const { return pending_files == 0; }
};

}  // namespace loci
