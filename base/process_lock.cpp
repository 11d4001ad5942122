#include "base/process_lock.h"

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace loci {

Result<ProcessLock> ProcessLock::acquire(FileSystem& files, const path& folder, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto pause = std::chrono::milliseconds(1);
  while (true) {
    auto fd = TRY(files.open(folder, O_RDONLY | O_DIRECTORY));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
      ProcessLock lock(std::move(fd), folder);
      if (lock.still_holds()) return lock;
      continue;  // the folder was replaced between open and flock
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno("lock", folder.string(), errno);
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(ErrorCode::locked, "another process is writing to " + folder.string(), "wait until it is done and try again");
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(50));
  }
}

bool ProcessLock::still_holds() const {
  struct stat held{};
  struct stat named{};
  return ::fstat(fd_.get(), &held) == 0 && ::stat(folder_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

}  // namespace loci
