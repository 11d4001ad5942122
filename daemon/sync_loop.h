// Exchange with the vault's remote every so many minutes ([sync] minutes; 0: never). What fails is told in `status` and tried again
// when the next time comes, no sooner. One thread calls step() in a loop; the rest may be called from any other.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>

#include "base/synchronized.h"
#include "memory/memory.h"

namespace loci {

class SyncLoop {
 public:
  // `interval` 0: it only waits for its end.
  SyncLoop(Memory memory, std::chrono::milliseconds interval);

  // Waits until the next sync is due, and does it. False after stop().
  bool step();
  // Ends a git that runs, too.
  void stop();

  bool running() const { return running_; }
  // For the heartbeat. git has time limits of its own, so a loop that waits for it goes on.
  std::uint64_t rounds() const { return rounds_; }
  void nudge();

 private:
  struct Shared {
    bool nudged = false, stopped = false;
  };

  void sync();

  Memory memory_;
  const std::chrono::milliseconds interval_;
  std::stop_source stop_;
  Synchronized<Shared> shared_;
  std::chrono::steady_clock::time_point next_;
  std::string trouble_;  // told once
  std::atomic<bool> running_{false};
  std::atomic<std::uint64_t> rounds_{0};
};

}  // namespace loci
