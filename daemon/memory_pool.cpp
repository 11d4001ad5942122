#include "daemon/memory_pool.h"

namespace loci {

void MemoryPool::index_changed() {
  free_.with([&](std::vector<Pooled>& free) {
    ++version_;
    for (Pooled& pooled : free) pooled.memory->drop_reader();
  });
}

void MemoryPool::release_idle() {
  std::vector<Pooled> idle;
  free_.with([&](std::vector<Pooled>& free) { idle.swap(free); });
}

Result<MemoryPool::Pooled> MemoryPool::take() {
  Pooled taken = free_.with([&](std::vector<Pooled>& free) {
    Pooled last;
    if (!free.empty()) {
      last = std::move(free.back());
      free.pop_back();
    }
    last.version = version_;
    return last;
  });
  if (taken.memory) return taken;
  auto opened = TRY(open_());
  taken.memory = std::make_unique<Memory>(std::move(opened));
  return taken;
}

void MemoryPool::give_back(Pooled pooled) {
  free_.with([&](std::vector<Pooled>& free) {
    if (free.size() >= most_idle) return;
    if (pooled.version != version_) pooled.memory->drop_reader();
    free.push_back(std::move(pooled));
  });
}

}  // namespace loci
