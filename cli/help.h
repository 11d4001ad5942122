// What `loci help` says, made from the table of commands.
#pragma once

#include <string>

#include "cli/command.h"

namespace loci::cli {

std::string overview_text();
std::string help_text(const Command& command);
// "loci search [--layer L0|L1|L2] … QUERY…"
std::string usage_line(const Command& command);

}  // namespace loci::cli
