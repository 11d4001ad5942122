// The routes of the daemon's HTTP interface over a memory: requests to operations, answers to JSON. The guard has been asked
// before. What reads runs on the caller's thread with a memory of the pool; what may take long (a reindex, a wait, an export) on a
// few threads of its own, so that it keeps no search waiting; what writes goes to the write queue and responds from there; what
// asks a language model has threads of its own.
//
// handle() may be called from any thread. The destructor cancels what asks a model, and waits for what runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/consolidate_loop.h"
#include "daemon/hook_spool.h"
#include "daemon/memory_pool.h"
#include "daemon/model_work.h"
#include "daemon/write_queue.h"
#include "http/message.h"
#include "http/workers.h"
#include "memory/index_keeper.h"
#include "operations/operation.h"

namespace loci {

class EventHub;

// What the routes need of the service around them.
struct RouteContext {
  MemoryPool& memories;
  WriteQueue& writes;
  IndexKeeper& keeper;
  std::function<Result<Json>(Memory&)> status;                             // the status shape
  std::function<Status(std::chrono::milliseconds)> wait_until_searchable;  // what was saved before the call; for status?wait=1
  std::function<void(bool force, ConsolidateLoop::Done done)> consolidate;
  OpenLanguageModel open_language_model = {};                   // null for builtin
  std::function<std::string()> metrics;                         // Prometheus text; what the index can tell is added to it
  std::function<Status()> health;                               // an error: not healthy, and why
  std::function<Status()> may_write = [] { return Status(); };  // an error: not now, and why
  std::function<std::shared_ptr<SimilarTexts>(const Memory&, const std::string&)> similar = {};  // of Surroundings
  EventHub* events = nullptr;                                                                    // null: nobody tells of changes
};

class Routes {
 public:
  explicit Routes(RouteContext context);
  void handle(HttpRequest request, Respond respond);
  // What hooks have enqueued while nobody was there to be told.
  void drain_hooks() { hook_spool_.drain(context_, model_work_); }

  static constexpr size_t long_work_threads = 4, wait_threads = 4;

 private:
  RouteContext context_;
  Surroundings around_;
  HookSpool hook_spool_;
  Workers long_work_{long_work_threads}, waits_{wait_threads};
  ModelWork model_work_;
};

// The route that a path belongs to, without what differs from request to request: "/memory/entries/{id}". "other" for none.
std::string_view route_of(std::string_view path);

}  // namespace loci
