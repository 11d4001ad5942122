// Watches by inotify(7). Threads and failures as in watcher.h.
//
// Every folder has a watch of its own. What an event says about a folder is only a hint to go and look: at the end of a buffer of
// events each such folder is opened, watched, and then read, so it does not matter what happened to it in which order. Whenever
// events may have been lost, the descriptor is thrown away with all its watches and the tree is walked anew, before the rescan is
// asked for.
//
// Network folders below the root are watched as any other: what comes from far is found by the next full scan.
#pragma once

#include <memory>

#include "watcher/watcher.h"

namespace loci {

Result<std::unique_ptr<Watcher>> open_inotify_watcher(WatchOptions options, Synchronized<ChangeSet>& changes);

}  // namespace loci
