#include "watcher/watcher.h"

#include "watcher/file_system_kind.h"
#include "watcher/inotify_watcher.h"
#include "watcher/polling_watcher.h"
#include "watcher/root_folder.h"

namespace loci {

Result<std::unique_ptr<Watcher>> Watcher::open(WatchOptions options, Synchronized<ChangeSet>& changes) {
  if (options.mode == WatchOptions::Mode::polling) return open_polling_watcher(options, changes, "polling was asked for");
  if (options.mode == WatchOptions::Mode::automatic) {
    const auto root = TRY(open_root(options.root));
    if (const auto kind = silent_kind_of(root.open.get()))
      return open_polling_watcher(options, changes, std::string(*kind) + " sends no events for remote changes");
  }
  return open_inotify_watcher(std::move(options), changes);
}

}  // namespace loci
