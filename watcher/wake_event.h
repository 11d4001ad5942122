// What a thread that waits for a descriptor can be woken by. set() may be called from any thread; wait() belongs to one.
#pragma once

#include <chrono>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace loci {

class WakeEvent {
 public:
  static Result<WakeEvent> make();

  void set() const;

  // Waits until `descriptor` (−1: none) can be read, the event is set, or the deadline (none: for ever) has passed. Clears the
  // event. Returns whether the descriptor can be read. Fails only if the system call does.
  Result<bool> wait(int descriptor, std::optional<std::chrono::steady_clock::time_point> deadline) const;

 private:
  explicit WakeEvent(Fd event) : event_(std::move(event)) {}

  Fd event_;
};

}  // namespace loci
