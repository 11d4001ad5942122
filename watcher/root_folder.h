// The folder that is watched, held open, so that the kernel cannot give its inode to another one meanwhile.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/file_system.h"
#include "base/result.h"

namespace loci {

struct FolderIdentity {
  dev_t device = 0;
  ino_t inode = 0;

  bool operator==(const FolderIdentity&) const = default;
};

struct RootFolder {
  Fd open;
  FolderIdentity identity;
};

Result<RootFolder> open_root(const path& root);

// Does this folder stand at `root`? No if nothing does.
bool stands_at(const path& root, const FolderIdentity& identity);

}  // namespace loci
