// Opened memories for the threads that answer: one is used by one thread at a time, and each answers from the newest state of the
// index. All of them write the index through the keeper that they were opened with.
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
    auto memory = take();
    if (!memory) return std::unexpected(memory.error());
    auto answer = use(**memory);
    give_back(std::move(*memory));
    return answer;
  }

  // The index changed: whoever is taken from now on reads it anew. Cheap; any thread.
  void index_changed() { ++version_; }

 private:
  struct Pooled {
    std::unique_ptr<Memory> memory;
    std::uint64_t version = 0;
  };

  Result<std::unique_ptr<Memory>> take();
  void give_back(std::unique_ptr<Memory> memory);

  Open open_;
  std::atomic<std::uint64_t> version_{1};
  Synchronized<std::vector<Pooled>> free_;
};

}  // namespace loci
