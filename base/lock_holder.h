// Who holds an flock, for a message to a person. Asks the kernel (/proc/locks); no pid file, because those lie.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"

namespace loci {

struct LockHolder {
  int pid = 0;
  std::string program;  // its command name; empty if the process cannot be looked at
};

// None if nobody holds one, or it can't be known (another container's process).
std::optional<LockHolder> holder_of_lock(FileSystem& files, const path& folder);

// The same for the text of /proc/locks: the pid that holds an flock on that device and inode. Pure.
std::optional<int> pid_holding(std::string_view proc_locks, unsigned major, unsigned minor, std::uint64_t inode);

}  // namespace loci
