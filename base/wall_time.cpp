#include "base/wall_time.h"

#include <cstdio>
#include <ctime>

namespace loci {

std::string wall_time(Instant instant) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch().count();
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%02d:%02d", local.tm_hour, local.tm_min);
  return {text, static_cast<size_t>(size)};
}

}  // namespace loci
