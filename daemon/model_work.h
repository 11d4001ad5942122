// Threads for what waits for a language model, so that it keeps neither searches nor writes waiting. post_…() may be called from
// any thread. The destructor cancels what runs and drops what has not begun.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>

#include "http/workers.h"

namespace loci {

class ModelWork {
 public:
  using Task = std::function<void(std::stop_token)>;

  ~ModelWork() { stop_.request_stop(); }

  // What nobody waits for: one after the other. False if `most_in_background` wait already.
  bool post_in_background(Task task);
  // What a request waits for.
  void post_request(Task task);

  static constexpr size_t most_in_background = 100, request_threads = 2;

 private:
  std::stop_source stop_;
  std::atomic<size_t> in_background_{0};
  Workers background_{1}, requests_{request_threads};
};

}  // namespace loci
