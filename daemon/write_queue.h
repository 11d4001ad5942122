// Every write to the vault that the daemon makes, one after the other on one thread. Additions that wait are stored together, with
// one write and one fsync a file, and made searchable together: 64 clients that add at once cost little more than one.
//
// add(), run() and stop() may be called from any thread; step() belongs to one.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/synchronized.h"
#include "memory/add.h"
#include "memory/memory.h"

namespace loci {

class WriteQueue {
 public:
  // Told about every append that was made: how many entries it stored.
  using Stored = std::function<void(size_t entries)>;

  // `memory` is used by the thread of step() alone.
  explicit WriteQueue(Memory memory, Stored stored = {}) : memory_(std::move(memory)), stored_(std::move(stored)) {}

  using AddDone = std::function<void(Result<Added>)>;
  // Stores entries. `done` is called by the thread of step() when they are durable, and searchable or known not to be soon (the
  // index is busy for 2 s: Searchable says why). Entries that cannot be stored are refused at once, by the caller's thread, and
  // keep nobody else's back; so is everything with ErrorCode::refused if `most_waiting` requests wait already, and after stop().
  void add(std::vector<NewEntry> entries, AddDone done);

  // Anything else that writes, in its turn. Refused like add(); then the operation is never called.
  Status run(std::function<void(Memory&)> operation);

  // Does what waits, all of it; waits for something at most until `deadline` (none: for ever). False: stop() was called and nothing
  // is left to do.
  bool step(std::optional<std::chrono::steady_clock::time_point> deadline);
  void stop();  // what waits is still done; what comes later is refused

  static constexpr size_t most_waiting = 10'000;

 private:
  struct Addition {
    std::vector<NewEntry> entries;
    AddDone done;
    Result<std::vector<Appended>> appended;
    std::vector<std::string> notes = {};
  };
  using Operation = std::function<void(Memory&)>;
  using Job = std::variant<Addition, Operation>;
  struct Waiting {
    std::deque<Job> jobs;
    bool stopped = false;
  };

  Status post(Job& job);
  void store(std::vector<Addition> additions);
  std::string destination_of(const Addition& addition) const;
  void append_together(const std::vector<Addition*>& group);
  void append_alone(Addition& addition);
  Searchable take_in(const std::vector<Addition>& additions);

  Memory memory_;
  Stored stored_;
  Synchronized<Waiting> waiting_;
};

}  // namespace loci
