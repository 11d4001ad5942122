// What a daemon does to the vault from time to time, on the thread of the write queue: it finishes or undoes what a killed process
// left, appends again what an editor's old buffer cut off the archive, looks after the files that writes displaced, finds out what
// a person's edits of loci's own files mean, adds up once a day what was retrieved, and takes away what is kept for a time only.
//
// looked_at() and problems() may be called from any thread, the rest belongs to that of the queue.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/synchronized.h"
#include "daemon/write_queue.h"
#include "edits/understand.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"
#include "watcher/change_set.h"

namespace loci {

class Housekeeper {
 public:
  Housekeeper(const Vault& vault, WriteQueue& writes);

  // The index has looked at these files. They are considered a moment later, all at once.
  void looked_at(const std::vector<std::string>& files);
  // When step() has something to do; none: not before looked_at() is called.
  std::optional<SteadyTime> next_due();
  void step();

  std::vector<Problem> problems();  // what a person has to look at

 private:
  struct Shared {
    std::set<std::string> files;
    std::optional<SteadyTime> due;  // when they are to be considered
    std::chrono::steady_clock::duration pause{};
    bool can_replace = true;
  };

  void recover();
  void finish_changes(Memory& memory);
  bool is_on_its_branch() const;
  void follow_entries(Memory& memory);
  void consider(Memory& memory, const std::vector<std::string>& files);
  void restore_tails(Memory& memory);
  void understand_edits(Memory& memory, const std::vector<std::string>& files);
  void look_at_displaced();
  void tidy();

  const Vault& vault_;
  WriteQueue& writes_;
  Synchronized<Shared> shared_;
  std::optional<SteadyTime> recovery_due_, displaced_due_, edits_due_, tidy_due_;
  std::optional<SteadyTime> tails_due_;  // also for what was cut off while no daemon ran, or one that died before it had looked
  std::string tails_trouble_;            // told once
};

}  // namespace loci
