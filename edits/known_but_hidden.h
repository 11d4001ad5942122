// What is known to have stood in a file, and stands in its bytes though it is not read (edits/hidden_entries.h).
#pragma once

#include <string>
#include <vector>

#include "edits/edit_context.h"
#include "vault/rewrite/versions.h"

namespace loci {

// `versions`: of the file, oldest first; what waits for a decision in it counts, too.
Result<std::vector<Absence>> known_but_hidden(EditContext& context, const std::string& file, const PresentFile& now,
                                              const std::vector<Version>& versions);

}  // namespace loci
