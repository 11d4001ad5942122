// The table of all commands, in the order in which help lists them.
#pragma once

#include <span>

#include "cli/command.h"

namespace loci::cli {

std::span<const Command* const> all_commands();
// Null if there is none of that name.
const Command* find_command(std::string_view name);
// Options that a command understands, its own first, the global ones behind them.
std::vector<OptionSpec> options_of(const Command& command);

// Whether these words call the command that waits for signals itself, and must not be ended by one before it does.
bool takes_signals_itself(std::span<const std::string> words);

// The shell's part: splits, finds the command, runs it, prints what went wrong. The exit status.
int run_command_line(std::span<const std::string> words, const Environment& environment, FileSystem& files, const Clock& clock);

}  // namespace loci::cli
