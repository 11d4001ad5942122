// A question that a person answers on the terminal.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/output.h"

namespace loci::cli {

// True only for "yes" or "y". ErrorCode::refused, with a hint to --yes, where there is no terminal to ask on.
Result<bool> confirm(Output& out, const std::string& question);

}  // namespace loci::cli
