// How long work keeps this thread's processor busy. A busy machine changes nothing, as it would with a clock on the wall.
#pragma once

#include <chrono>
#include <ctime>

namespace loci {

inline std::chrono::nanoseconds processor_time_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds processor_time_of(const auto& work) {
  const auto start = processor_time_used();
  work();
  return processor_time_used() - start;
}

}  // namespace loci
