// The project that an agent works on: the name of the work tree around its folder. Any thread.
#pragma once

#include <string>

#include "base/file_system.h"

namespace loci {

// The folder's name that holds `.git`; of a linked work tree that of the main one. Empty where there is none, and for a home folder
// that is a repository itself: everything is below that.
std::string project_around(const path& working_folder, const path& home);

}  // namespace loci
