// Completion scripts, made from the table of commands, and the values of a vault that they ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace loci::cli {

// For "bash", "zsh" or "fish".
std::string completion_script(std::string_view shell);

struct CompletionValue {
  std::string value;
  std::string about = {};  // a few words that stand beside it
};

// Ids, ended ids, tags, projects, sessions, active tasks, runs or settings of the vault that start with `prefix`; of ids and runs
// the newest first. At most 200.
std::vector<CompletionValue> completion_values(Memory& memory, std::string_view what, std::string_view prefix);

}  // namespace loci::cli
