// Where a git repository stands, as one short text: it changes when HEAD moves, and when git writes its index or its stash, as it
// does with every checkout, merge, reset, stash or restore of a file. Runs no git.
#pragma once

#include <string>

#include "base/file_system.h"

namespace loci {

// Empty where no repository is around the folder. `folder` may lie below the repository's root; the `.git` file of a worktree is
// followed.
std::string git_state_around(FileSystem& files, const path& folder);

}  // namespace loci
