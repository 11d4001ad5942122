// Whether Codex runs loci's hooks: it skips, without a word, those that its user has not looked at since they were written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace loci {

// The events whose hook of loci's waits for the user's trust ("UserPromptSubmit"), as Codex itself says of this folder.
// ErrorCode::failed if there is no Codex that can be asked. Takes a second.
Result<std::vector<std::string>> codex_hooks_without_trust(const path& working_folder);

// The same, of what `codex app-server` has answered. ErrorCode::failed if that is something else. Pure.
Result<std::vector<std::string>> hooks_without_trust_in(std::string_view answers);

}  // namespace loci
