// What stands in a file although it was merged into another entry, let go of, or forgotten. Called for a file whose saves are
// understood; fails as the logs and the index do.
#pragma once

#include <string>

#include "edits/edit_context.h"

namespace loci {

// A person who merged it has taken that back, or pasted it, or has put their words into an entry that an undo had taken out: it is
// an entry of its own again.
Status look_for_what_stands_again(EditContext& context, const std::string& file);

// A text that was known to whoever deleted its entry is not found, though it is another than that which was deleted: somebody
// pasted it back, or undid what they had typed.
Status look_for_forgotten(EditContext& context, const std::string& file);

}  // namespace loci
