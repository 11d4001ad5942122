// What a few stats and files of one line tell of the repository around a vault: what git is in the middle of, and whether it did
// anything since. Runs no git (vault/git/git.h does) and reads nothing whose format is git's own business. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/file_system.h"

namespace loci {

struct GitOperation {
  std::string marker;  // "MERGE_HEAD", "rebase-merge", "index.lock", …
  Instant since;       // when the marker was last changed
};

// The folder of the repository around a folder, `.git` or what a `.git` file names; empty where there is none. And the one that a
// worktree shares with the others: the objects, branches and stashes are there, HEAD and the index are not.
path git_folder_around(path folder);
path common_git_folder(const path& git);

// None where there is no repository or nothing goes on. `folder` may lie below the repository's root; a `.git` file
// (worktree, submodule) is followed.
std::optional<GitOperation> git_operation_around(const path& folder);

// Is a git command running that writes to the repository (index.lock)? A merge that waits for a person is not.
bool git_is_writing_around(const path& folder);

// The branch that is checked out, as git names it ("refs/heads/main"), or the hash of a commit that is on none. Empty where there
// is no repository.
std::string git_branch_around(const path& folder);

// The commit that is checked out: its hash, or the name of a branch that has none yet. Empty where there is no repository, or where
// it takes git to tell.
std::string git_head_around(const path& folder);

// What changes when HEAD moves or git writes its branch, its stashes or its index: equal ones say that git did nothing in between.
// Some ten system calls. Empty where there is no repository.
std::string git_fingerprint_around(const path& folder);

// The same without the index, which any `git status` may write: changes when git takes the files somewhere else, or back to HEAD
// (checkout, reset, commit, stash, rebase, a merge also where it then refuses). `git add` and `git restore` do not change it.
std::string git_moves_around(const path& folder);

}  // namespace loci
