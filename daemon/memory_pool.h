// Opened memories for the threads that answer: one is used by one thread at a time, and each answers from the newest state of the
// index. All of them write the index through the keeper that they were opened with. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/synchronized.h"
#include "memory/memory.h"

namespace loci {

class MemoryPool {
 public:
  using Open = std::function<Result<Memory>()>;
  explicit MemoryPool(Open open) : open_(std::move(open)) {}

  // Calls `use` with a memory that nobody else uses meanwhile. Waits for nobody: opens another one if all are taken.
  template <typename Answer>
  Result<Answer> with(const std::function<Result<Answer>(Memory&)>& use) {
    auto taken = TRY(take());
    auto answer = use(*taken.memory);
    give_back(std::move(taken));
    return answer;
  }

  // The index changed: whoever is taken from now on reads it anew. Idle ones let go of their snapshot at once, because an old one
  // keeps the index's log from being emptied.
  void index_changed();

  // Lets go of all that nobody uses: what their searches have cached is not needed while nobody asks.
  void release_idle();

  static constexpr size_t most_idle = 8;

 private:
  struct Pooled {
    std::unique_ptr<Memory> memory;
    std::uint64_t version = 0;  // of the index when it was taken: its snapshot is not older
  };

  Result<Pooled> take();
  void give_back(Pooled pooled);

  Open open_;
  std::atomic<std::uint64_t> version_{1};
  Synchronized<std::vector<Pooled>> free_;
};

}  // namespace loci
