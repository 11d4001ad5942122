// Consolidation in the daemon: looks at the gates from time to time, runs when they are open, and at once when somebody asks. A
// model may take minutes; everything else goes on meanwhile. One thread calls step() in a loop; the rest may be called from any
// other.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>

#include "base/synchronized.h"
#include "consolidate/consolidator.h"
#include "indexer/indexer.h"
#include "memory/memory.h"

namespace loci {

class ConsolidateLoop {
 public:
  struct Surroundings {
    std::function<Memory()> open_memory;
    OpenLanguageModel open_language_model;
    std::chrono::milliseconds interval;           // between two looks at the gates
    std::function<void()> state_changed = [] {};  // state() has, or there is another run; on the thread of step()
  };
  using Done = std::function<void(Result<Consolidated>)>;

  explicit ConsolidateLoop(Surroundings surroundings);

  // Waits until somebody asks or the next look is due, and does it. False after stop(): then everybody who still waits for an
  // answer has got one.
  bool step();
  // Ends a model call at once; what was settled stays.
  void stop();

  // Runs as soon as the run that goes on is over; `done` is called by the thread of step(). ErrorCode::refused after stop().
  void ask(bool force, Done done);

  struct State {
    Instant next_check;
    bool running = false;
    std::optional<Progress> work;
  };
  State state();

  // For the heartbeat. A call of a model has limits of its own, so a loop that waits for one goes on.
  std::uint64_t rounds() const { return rounds_; }
  void nudge();

 private:
  struct Request {
    bool force = false;
    Done done;  // empty: nobody waits
  };
  struct Shared {
    std::deque<Request> requests;
    bool nudged = false, stopped = false;
    State state;
  };

  Result<Consolidated> run(bool force);
  void finish_leftovers();
  void plan_next_look();

  Surroundings around_;
  Memory memory_;
  std::stop_source stop_;
  Synchronized<Shared> shared_;
  std::chrono::steady_clock::time_point next_look_;
  std::atomic<std::uint64_t> rounds_{0};
};

}  // namespace loci
