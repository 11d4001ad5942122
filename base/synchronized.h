// A value that threads share, and the only way to it: with its lock held. Nothing is shared by convention.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace loci {

template <typename T>
class Synchronized {
 public:
  Synchronized() = default;
  explicit Synchronized(T value) : value_(std::move(value)) {}
  Synchronized(const Synchronized&) = delete;
  Synchronized& operator=(const Synchronized&) = delete;

  // Calls `use` with the value while nobody else has it. A reference to it must not leave the call.
  template <typename Use>
  auto with(Use use) {
    const std::lock_guard lock(mutex_);
    return use(value_);
  }

  // The same, and whoever waits looks again.
  template <typename Use>
  void change(Use use) {
    {
      const std::lock_guard lock(mutex_);
      use(value_);
    }
    changed_.notify_all();
  }

  // Waits until `ready(value)` holds, at most until `deadline` if there is one, then calls `use` in any case. The deadline is on
  // the steady clock: a wall clock that jumps wakes nobody.
  template <typename Ready, typename Use>
  auto wait(std::optional<std::chrono::steady_clock::time_point> deadline, Ready ready, Use use) {
    std::unique_lock lock(mutex_);
    const auto is_ready = [&] { return ready(std::as_const(value_)); };
    if (deadline)
      changed_.wait_until(lock, *deadline, is_ready);
    else
      changed_.wait(lock, is_ready);
    return use(value_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  T value_{};
};

}  // namespace loci
