#include "cli/confirm.h"

#include <unistd.h>

#include <iostream>

namespace loci::cli {

Result<bool> confirm(Output& out, const std::string& question) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1)
    return fail(ErrorCode::refused, "this asks first, and there is no terminal to ask on", "--yes does it without asking");
  out.flush();
  std::cerr << question << " [yes/No] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "yes" || answer == "y";
}

}  // namespace loci::cli
