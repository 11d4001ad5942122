// What a person says to a conflict: by options, or asked on a terminal.
#pragma once

#include <string>

#include "cli/command.h"
#include "edits/resolve.h"

namespace loci::cli {

inline constexpr size_t text_width = 100;

bool can_ask(const Output& out);
// The first letter of what was typed; 0 for nothing.
char ask(Output& out, const std::string& question);

ConflictAnswers answers_of(const Arguments& arguments, Output& out);
std::unexpected<Error> refuse_undecided(const Resolved& resolved);

}  // namespace loci::cli
