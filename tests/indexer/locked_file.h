// A file system in which one file can't be opened, as if its permissions were gone (which would not stop root).
#pragma once

#include <cerrno>
#include <new>
#include <string>

#include "tests/support/forwarding_file_system.h"

namespace loci {

class LockedFile final : public ForwardingFileSystem {
 public:
  std::string locked;    // the end of its path; empty: no file
  std::string too_much;  // likewise, of one that there is no memory to read

  Result<Fd> open(const path& file, int flags, mode_t mode) override {
    if (!locked.empty() && file.string().ends_with(locked)) return fail_errno("open", file.string(), EACCES);
    return below_.open(file, flags, mode);
  }
  Result<std::string> read_all(const Fd& fd, const path& name, size_t limit) override {
    if (!too_much.empty() && name.string().ends_with(too_much)) throw std::bad_alloc();
    return below_.read_all(fd, name, limit);
  }
};

}  // namespace loci
