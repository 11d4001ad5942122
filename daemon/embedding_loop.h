// Makes missing vectors in the background when the index has changed, and waits longer and longer while the server of
// [models.embeddings] is away. One thread calls step() in a loop; the rest may be called from any other.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/synchronized.h"
#include "embeddings/missing_vectors.h"
#include "memory/memory.h"

namespace loci {

class EmbeddingLoop {
 public:
  using OpenModel = std::function<Result<std::unique_ptr<EmbeddingModel>>()>;
  EmbeddingLoop(Memory memory, OpenModel open_model) : memory_(std::move(memory)), open_model_(std::move(open_model)) {}

  // Waits until there may be something to do, and does it. False after stop().
  bool step();
  // Ends a request that runs, too.
  void stop();
  void index_changed();

  struct State {
    VectorCounts counts;               // of the last pass, or of the one that goes on
    std::optional<std::string> error;  // of the last pass; none if it went well
    bool running = false;
  };
  State state();

  // For the heartbeat. A request has a time limit of its own, so a loop that waits for one goes on.
  std::uint64_t rounds() const { return rounds_; }
  void nudge();

 private:
  struct Shared {
    bool nudged = false, stopped = false;
    bool changed = true;  // since the last pass began
    State state;
  };

  Status pass();
  void plan_next(const Status& passed, std::chrono::steady_clock::duration took);

  Memory memory_;
  const OpenModel open_model_;
  std::unique_ptr<EmbeddingModel> model_;
  std::stop_source stop_;
  Synchronized<Shared> shared_;
  std::chrono::steady_clock::time_point not_before_;  // the next pass
  int failures_ = 0;                                  // one after the other
  std::atomic<bool> running_{false};
  std::atomic<std::uint64_t> rounds_{0};
};

}  // namespace loci
