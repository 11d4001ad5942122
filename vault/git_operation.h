// Whether git is in the middle of something in the repository around a vault. Looks for git's own markers; runs no git.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"

namespace loci {

struct GitOperation {
  std::string marker;  // "MERGE_HEAD", "rebase-merge", "index.lock", …
  Instant since;       // when the marker was last changed
};

// None where there is no repository or nothing goes on. `folder` may lie below the repository's root; a `.git` file
// (worktree, submodule) is followed.
std::optional<GitOperation> git_operation_around(const path& folder);

}  // namespace loci
