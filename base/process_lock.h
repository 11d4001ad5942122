// An advisory lock on a folder (flock): one holder at a time, gone with its process. A folder, because a sync tool
// replaces files by renaming but never the folder itself. Nothing is written: pid files lie.
#pragma once

#include <chrono>

#include "base/file_system.h"

namespace loci {

class ProcessLock {
 public:
  // Takes the lock, waiting at most `patience` for another holder. Fails with ErrorCode::locked when it is still held then.
  static Result<ProcessLock> acquire(FileSystem& files, const path& folder, std::chrono::milliseconds patience);

  // False once the folder under that name is no longer the one that was locked: the lock then protects nothing.
  bool still_holds() const;

 private:
  ProcessLock(Fd fd, path folder) : fd_(std::move(fd)), folder_(std::move(folder)) {}

  Fd fd_;
  path folder_;
};

}  // namespace loci
