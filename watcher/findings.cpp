#include "watcher/findings.h"

namespace loci {

void Findings::hand_over(Synchronized<ChangeSet>& changes, std::atomic<std::uint64_t>& passed) {
  if (files_.empty() && reasons_.empty() && through_ == passed) return;
  const SteadyTime now = std::chrono::steady_clock::now();
  changes.change([&](ChangeSet& set) {
    for (const auto& [path, seen] : files_) {
      if (seen == Seen::finished)
        set.add_finished(path, now);
      else if (seen == Seen::touched)
        set.add_touched(path, now);
      else
        set.add_unfinished(path, now);
    }
    for (const std::string& reason : reasons_) set.want_rescan(reason);
    passed = through_;
  });
  files_.clear();
  reasons_.clear();
}

}  // namespace loci
