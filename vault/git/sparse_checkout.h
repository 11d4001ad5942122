// What git keeps out of a work tree on purpose.
#pragma once

#include <string>

#include "base/file_system.h"

namespace loci {

// The file is in the index, and a sparse checkout leaves it out: nobody removed it. Asks git only where there is a sparse checkout;
// false if git cannot be asked. `folder` may lie below the repository's root. Any thread.
bool is_left_out_of_checkout(const path& folder, const std::string& file);

}  // namespace loci
