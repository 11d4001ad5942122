// Being the daemon of a vault: what `loci daemon` does, and `loci panel` where no daemon runs.
#pragma once

#include <functional>

#include "cli/command.h"

namespace loci::cli {

// Until a signal ends it. `when_ready` is called once, when the daemon answers; if it fails, the daemon ends. The signals that end
// a program must be held (takes_signals_itself).
Result<int> keep_vault(const Invocation& invocation, const path& root, const std::function<Status()>& when_ready);

}  // namespace loci::cli
