// A few threads that run what is posted to them, in the order it comes. post() may be called from any thread.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/synchronized.h"

namespace loci {

class Workers {
 public:
  using Task = std::move_only_function<void()>;

  explicit Workers(size_t threads);
  ~Workers() { stop(); }

  // After stop() the task is dropped. What a task throws is logged and goes no further.
  void post(Task task);
  // Drops what has not begun, and waits for what has. From none of the threads themselves.
  void stop();

 private:
  struct Waiting {
    std::deque<Task> tasks;
    bool stopped = false;
  };

  void work();

  Synchronized<Waiting> waiting_;
  std::vector<std::thread> threads_;
};

}  // namespace loci
