// Waiting for an editor that is in the middle of a save, through a function that is passed in: tests don't sleep.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace loci {

using Sleep = std::function<void(std::chrono::milliseconds)>;

inline void sleep_pause(std::chrono::milliseconds length) { std::this_thread::sleep_for(length); }

// vim takes a file away, and makes it again empty, before it writes. It is waited for in short steps, and not for long.
class Settling {
 public:
  explicit Settling(const Sleep& pause) : pause_(&pause) {}

  // Waits a moment; false if there was no more patience left.
  bool wait() {
    if (left_ <= std::chrono::milliseconds::zero()) return false;
    (*pause_)(step);
    left_ -= step;
    return true;
  }

 private:
  static constexpr std::chrono::milliseconds step{20};

  const Sleep* pause_;
  std::chrono::milliseconds left_{2000};
};

}  // namespace loci
