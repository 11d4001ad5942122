// The one use of git so far: making a vault a repository.
#pragma once

#include "base/file_system.h"
#include "base/result.h"

namespace loci::cli {

// Runs `git init` in the folder. False if it is in a repository already.
Result<bool> make_git_repository(const path& folder);

}  // namespace loci::cli
