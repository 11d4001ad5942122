// Signals as something that one thread waits for, instead of handlers that interrupt any of them.
#pragma once

#include <chrono>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace loci {

class Signals {
 public:
  // From now on SIGTERM, SIGINT and SIGHUP wait to be asked for, in this thread and in those that it starts later; SIGPIPE is
  // ignored.
  static Result<Signals> block();

  // The next signal; none if the deadline came first, or interrupt() was called.
  std::optional<int> wait(std::chrono::steady_clock::time_point deadline);
  // Any thread.
  void interrupt();

 private:
  Signals(Fd signals, Fd interruptions) : signals_(std::move(signals)), interruptions_(std::move(interruptions)) {}

  Fd signals_, interruptions_;
};

}  // namespace loci
