// Files of consolidated/ that somebody gave another name before anybody looked at them. What is known of such a file, its versions,
// what is missing from it, what is asked about it, follows to the new name: else a save under the new name could not be told from
// the file as it was first seen.
#pragma once

#include <set>
#include <string>

#include "edits/edit_state.h"
#include "edits/present_files.h"

namespace loci {

// `files`: those that changed. Adds the new names that belong to old ones among them.
Status follow_renames(const Vault& vault, EditState& state, PresentFiles& present, std::set<std::string>& files);

}  // namespace loci
