// Who did it: what the logs of all machines and git say about a difference that was found in a file. Read once for each time that
// something is to be understood.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "edits/acts.h"
#include "edits/edit_state.h"
#include "vault/layout/layout.h"
#include "vault/layout/vault.h"
#include "vault/logs/chronicle.h"

namespace loci {

// Another sync tool brings files one by one: so long the logs may be behind, from the first sight of a file's bytes, and at most.
inline constexpr std::chrono::minutes sync_settles{10}, most_sync_waits{30};

// Whether the logs account for what became of an entry, or of a promoted line: that it is gone (no `after`), or says this now.
bool explained_by(const Chronicle& logs, Place place, const SeenEntry& before, const SeenEntry* after);

class Evidence {
 public:
  Evidence(const Vault& vault, const GitStand& then, const GitStand& now) : vault_(vault), then_(then), now_(now) {}

  Result<const Chronicle*> logs();
  void logs_changed() {  // what was read of them before is read anew
    logs_.reset();
    reworded_.reset();
  }

  // loci's work, here or on another machine. `known`: the versions of the file; the logs say nothing new of a text that stood in
  // one of them, if they know nothing of the one that took its place. They have to outlive what is returned.
  Result<Explained> explained(Place place, std::span<const KnownVersion> known = {});

  // What stood in the place of what a person corrected is gone, or says that again.
  Result<std::vector<SeenEntry>> lacking_corrections(const std::vector<Change>& changes);

  // It was ended on this machine, with this text known under its id: the text stood in a version of the file that was followed by
  // one without the entry. What another machine knew when it ended an entry no version here tells.
  Result<bool> was_ended_knowingly(const std::string& file, const SeenEntry& entry, const Tombstone& end);

  // What git took back, or what only stood in what HEAD was before: nobody meant anything by it. Ids.
  Result<std::set<std::string>> undecided_by_git(const std::string& file, const std::vector<Change>& changes);

  // It went together with the lines of the ledger that made it: a checkout, a reset, a stash, a revert.
  bool was_taken_back(const SeenEntry& entry, const Chronicle& logs) const;

  // A stash has just taken what was changed, and may give it back.
  Result<bool> waits_for_stash(const std::string& file, std::string_view bytes) const;

  // Logs of another machine have just come, and more may (git brings all at once), or the file is older than what loci wrote.
  bool may_be_half_a_sync(Instant saved_at, Instant newest_write, Instant now) const;

 private:
  const Vault& vault_;
  const GitStand &then_, &now_;
  // The entry that this line of the core showed gave way to what a person made of the line, and that stands. After logs().
  bool was_reworded(const std::string& ref);

  std::optional<Chronicle> logs_;
  std::optional<std::set<std::string>> reworded_;
  std::optional<std::vector<Tombstone>> own_tombstones_;
};

// Where git stands around the vault now; `known` says where it stood: nothing is asked if git did nothing since. ErrorCode::locked:
// git is at work.
Result<GitStand> git_stand(const Vault& vault, const GitStand& known);

// The vault is on another branch, or on none, and the one that it was on is still there, with commits that this one has not: what
// differs is no edit.
bool is_on_another_branch(const Vault& vault, const GitStand& then, const GitStand& now);

}  // namespace loci
