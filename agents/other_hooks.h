// Hooks of others beside loci's: one that is called when an agent has answered may make it go on with the same prompt.
#pragma once

#include <string_view>

#include "vault/layout/environment.h"

namespace loci {

// Do these settings of an agent's call a program that is not loci when it stops? Pure. What cannot be read calls none.
bool calls_others_at_stop(std::string_view settings);

// Do any that count for an agent in this folder: the user's, the project's, the machine's? Plugins' hooks stand elsewhere, and are
// not seen.
bool others_may_make_it_go_on(const Environment& environment, const path& working_folder, FileSystem& files);

}  // namespace loci
