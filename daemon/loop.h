// A thread of the daemon that goes round and round until it is told to end: what each of them has in common. start(),
// tell_to_stop() and stop() belong to one thread; the rest may be called from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "daemon/heartbeat.h"

namespace loci {

class Loop {
 public:
  struct Work {
    std::string name;             // as the heartbeat tells of it
    std::function<bool()> step;   // waits for something to do, and does it; false: it was told to stop, and all is done
    std::function<void()> nudge;  // a step that waits goes round
    std::function<void()> stop;   // step() ends what it does, and says so soon
    std::function<std::uint64_t()> progress = [] { return std::uint64_t{0}; };  // goes up within a long step
  };

  explicit Loop(Work work) : work_(std::move(work)) {}
  ~Loop() { stop(); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();
  void tell_to_stop() const { work_.stop(); }
  // Waits for its end.
  void stop();

  Heartbeat::Member for_heartbeat() const;

 private:
  Work work_;
  std::atomic<std::uint64_t> rounds_{0};
  std::thread thread_;
};

}  // namespace loci
