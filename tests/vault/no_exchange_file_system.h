// A file system that knows no exchange, as some network and FUSE file systems; everything else is real.
#pragma once

#include "tests/support/forwarding_file_system.h"

namespace loci {

class NoExchangeFileSystem final : public ForwardingFileSystem {
 public:
  Status exchange(const path&, const path&) override {
    return fail(ErrorCode::refused, "cannot exchange two files", "this file system cannot exchange two files in one step");
  }
};

}  // namespace loci
