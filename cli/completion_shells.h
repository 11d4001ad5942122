// The completion script of each shell, made from the table of commands.
#pragma once

#include <string>

namespace loci::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace loci::cli
