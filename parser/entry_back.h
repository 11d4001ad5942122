// Putting an entry that was taken out of a markdown file back into its bytes, with its metadata as it stood (`markdown`). Pure; as
// in entry_edit.h the rest of the file stays byte for byte, and ErrorCode::refused says that it would read differently.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace loci {

// In the place of the entry `id`, which goes. ErrorCode::not_found without it.
Result<std::string> with_entry_instead_of(std::string_view file, std::string_view id, std::string_view markdown);

// Where `former`, an earlier version of the file, had it: beside the nearest of its neighbours of then that still stands under the
// same heading, or else at the end of that section. Without a version, or where nothing of that is left: at the end of the file.
Result<std::string> with_entry_back(std::string_view file, std::string_view markdown, std::string_view former = {});

}  // namespace loci
