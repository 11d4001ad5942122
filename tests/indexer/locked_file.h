// A file system in which one file can't be opened, as if its permissions were gone (which would not stop root).
#pragma once

#include <cerrno>
#include <string>

#include "tests/support/forwarding_file_system.h"

namespace loci {

class LockedFile final : public ForwardingFileSystem {
 public:
  std::string locked;  // the end of its path; empty: no file

  Result<Fd> open(const path& file, int flags, mode_t mode) override {
    if (!locked.empty() && file.string().ends_with(locked)) return fail_errno("open", file.string(), EACCES);
    return below_.open(file, flags, mode);
  }
};

}  // namespace loci
