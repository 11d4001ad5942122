#include "http/workers.h"

#include <exception>
#include <string>

#include "base/log.h"

namespace loci {

Workers::Workers(size_t threads) {
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

void Workers::post(Task task) {
  waiting_.change([&](Waiting& waiting) {
    if (!waiting.stopped) waiting.tasks.push_back(std::move(task));
  });
}

void Workers::stop() {
  std::deque<Task> dropped;  // destroyed without the lock: a task may own anything
  waiting_.change([&](Waiting& waiting) {
    waiting.stopped = true;
    dropped.swap(waiting.tasks);
  });
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Workers::work() {
  while (true) {
    Task task = waiting_.wait(
        std::nullopt, [](const Waiting& waiting) { return waiting.stopped || !waiting.tasks.empty(); },
        [](Waiting& waiting) {
          if (waiting.tasks.empty()) return Task();
          Task first = std::move(waiting.tasks.front());
          waiting.tasks.pop_front();
          return first;
        });
    if (!task) return;
    try {
      task();
    } catch (const std::exception& exception) {
      log_error(std::string("a worker failed: ") + exception.what());
    } catch (...) {
      log_error("a worker failed");
    }
  }
}

}  // namespace loci
