// Another program, run in the foreground and waited for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace loci::cli {

// What of another program's output is shown.
enum class Shown { everything, errors, nothing };

// Runs words[0] (looked up in $PATH) on the terminal of this process; ^C is the child's alone meanwhile. Its exit status, 128 and
// the signal if it was killed. ErrorCode::failed if it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, Shown shown = Shown::everything);

}  // namespace loci::cli
