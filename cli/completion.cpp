#include "cli/completion.h"

#include "cli/completion_shells.h"

namespace loci::cli {

std::string completion_script(std::string_view shell) {
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  return bash_completion();
}

}  // namespace loci::cli
