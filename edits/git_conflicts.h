// Files that wait for a person because git could not merge them: those that are unmerged in git's index, whatever they say (a merge
// driver that is gone leaves a whole version and no markers), and files that no index of markdown knows, with git's
// markers. Where git cannot be asked, none. Asks git.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vault/git/git.h"
#include "vault/layout/problem.h"
#include "vault/layout/vault.h"

namespace loci {

struct GitConflict {
  std::string file;
  std::optional<GitStages> stages;  // none: only markers tell
};

// By path.
std::vector<GitConflict> git_conflicts(const Vault& vault);

// What both sides say, of a file without markers; none if it has them.
struct GitSides {
  std::string ours, theirs;
};
std::optional<GitSides> sides_without_markers(const Vault& vault, const GitConflict& conflict);

// The file as this machine had it: what git holds as ours or, of one that is merged, what this machine committed last.
std::optional<std::string> file_had_here(const Vault& vault, const GitConflict& conflict);

// Those that are no problem of the index already.
void add_git_conflict_problems(const Vault& vault, std::vector<Problem>& problems);

}  // namespace loci
