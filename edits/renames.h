// Files of consolidated/ that somebody gave another name before anybody looked at them. What is known of such a file, its versions,
// what is missing from it, what is asked about it, follows to the new name: else a save under the new name could not be told from
// the file as it was first seen. That somebody, loci too, made a new file of the old name since changes nothing.
#pragma once

#include <set>
#include <string>

#include "edits/edit_context.h"

namespace loci {

// `files`: those that changed. Adds the new names that belong to old ones among them.
Status follow_renames(EditContext& context, std::set<std::string>& files);

}  // namespace loci
