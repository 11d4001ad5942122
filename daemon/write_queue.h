// Every write to the vault that the daemon makes, one after the other on one thread. Additions that wait are stored together, with
// one write and one fsync a file, and made searchable together: 64 clients that add at once cost little more than one.
//
// add() and run() may be called from any thread; step() belongs to one.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "base/synchronized.h"
#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

class WriteQueue {
 public:
  // `memory` is used by the thread of step() alone.
  explicit WriteQueue(Memory memory) : memory_(std::move(memory)) {}

  using AddDone = std::function<void(Result<Added>)>;
  // Stores entries. `done` is called by the thread of step() when they are durable, and searchable or known not to be soon (the
  // index is busy for 2 s: Searchable says why). An impossible entry is refused alone and keeps no other back. ErrorCode::refused
  // at once if `most_waiting` requests wait already.
  void add(std::vector<NewEntry> entries, AddDone done);

  // Anything else that writes, in its turn.
  void run(std::function<void(Memory&)> operation);

  // Does what waits, all of it; waits for something at most until `deadline` (none: for ever). False: stop() was called and nothing
  // is left to do.
  bool step(std::optional<std::chrono::steady_clock::time_point> deadline);
  void stop();  // what waits is still done; what comes later is refused

  static constexpr size_t most_waiting = 10'000;

 private:
  struct Addition {
    std::vector<NewEntry> entries;
    AddDone done;
  };
  using Job = std::variant<Addition, std::function<void(Memory&)>>;
  struct Waiting {
    std::deque<Job> jobs;
    bool stopped = false;
  };

  void store(std::vector<Addition> additions);

  Memory memory_;
  Synchronized<Waiting> waiting_;
};

}  // namespace loci
