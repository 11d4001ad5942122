// The routes of the daemon's HTTP interface over a memory: requests to operations, answers to JSON. The guard has been asked
// before. Everything that reads runs on the caller's thread with a memory of the pool; everything that writes goes to the write
// queue and responds from there.
#pragma once

#include <functional>
#include <string>

#include "daemon/memory_pool.h"
#include "daemon/write_queue.h"
#include "http/message.h"
#include "memory/index_keeper.h"

namespace loci {

// What the routes need of the service around them.
struct RouteContext {
  MemoryPool& memories;
  WriteQueue& writes;
  IndexKeeper& keeper;
  std::function<Result<Json>(Memory&)> status;                             // the status shape
  std::function<Status(std::chrono::milliseconds)> wait_until_searchable;  // what was saved before the call; for status?wait=1
  std::function<std::string()> metrics;                                    // Prometheus text
  std::function<Status()> health;                                          // an error: not healthy, and why
};

class Routes {
 public:
  explicit Routes(RouteContext context) : context_(std::move(context)) {}
  void handle(HttpRequest request, Respond respond) const;

 private:
  RouteContext context_;
};

}  // namespace loci
