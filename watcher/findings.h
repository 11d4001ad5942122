// What a watcher has seen and not handed over yet. Belongs to the watcher's thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/synchronized.h"
#include "watcher/change_set.h"

namespace loci {

class Findings {
 public:
  enum class Seen { finished, unfinished, touched };  // as the functions of ChangeSet

  void add(std::string file, Seen seen) { files_.push_back({std::move(file), seen}); }
  void want_rescan(std::string reason) { reasons_.insert(std::move(reason)); }
  bool wants_rescan() const { return !reasons_.empty(); }
  // All that happened before this probe was made is among the findings, or shown by the rescan that they want.
  void pass(std::uint64_t probe) { through_ = std::max(through_, probe); }

  // Puts all of it into the change set, sets `passed` with it, and wakes those who wait for either.
  void hand_over(Synchronized<ChangeSet>& changes, std::atomic<std::uint64_t>& passed);

 private:
  struct File {
    std::string path;
    Seen seen;
  };

  std::vector<File> files_;
  std::set<std::string> reasons_;
  std::uint64_t through_ = 0;
};

}  // namespace loci
