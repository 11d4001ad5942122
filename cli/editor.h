// A person's own editor, at a line of a file.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"

namespace loci::cli {

// The words that start `editor` ("vim", "code --wait") at that line; each family of editors has its own way to say it.
// As everywhere, a command with quotes, a variable or the like is a shell's to take apart.
std::vector<std::string> editor_command(const std::string& editor, const path& file, int line);

// Runs it and waits. ErrorCode::failed if none is set, if it cannot be started, or if it ends badly.
Status open_editor(const std::string& editor, const path& file, int line);

}  // namespace loci::cli
