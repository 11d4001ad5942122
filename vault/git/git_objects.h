// What git has stored lately: its loose objects, read without running git. For telling what git took out of a file and still has
// from what it wrote over unseen. `git stash`, and `git merge` before it refuses, save the files and put older ones in their place
// a moment later; what was appended in that moment is in no object. A merge that cannot put back what it saved leaves it in a
// commit that nothing leads to. Works for SHA-1 and SHA-256 repositories, and for worktrees. Thread-safe: no state.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"

namespace loci {

using EntryIds = std::set<std::string, std::less<>>;

struct GitRecords {
  EntryIds held;               // in a file of a commit that a reflog names, of a stash or of the index
  std::vector<Instant> saves;  // when git began to save what was not committed
};

// Looks for entries of the archive, by id, in what was stored since then. None where it cannot be told: there is no repository,
// something was packed since, or it would be too much to read.
std::optional<GitRecords> search_git_objects(const path& folder, Instant since, const EntryIds& ids);

}  // namespace loci
