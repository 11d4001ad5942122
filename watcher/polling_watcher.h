// For a tree whose changes nobody tells: sees nothing, so whoever uses it has to look at everything now and then. Threads as in
// watcher.h.
#pragma once

#include <memory>
#include <string>

#include "watcher/watcher.h"

namespace loci {

Result<std::unique_ptr<Watcher>> open_polling_watcher(const WatchOptions& options, Synchronized<ChangeSet>& changes,
                                                      std::string reason);

}  // namespace loci
