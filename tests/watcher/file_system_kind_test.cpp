#include "watcher/file_system_kind.h"

#include <gtest/gtest.h>
#include <linux/magic.h>

namespace loci {
namespace {

TEST(FileSystemKind, NetworkAndSharedFoldersAreSilent) {
  EXPECT_EQ(silent_kind(NFS_SUPER_MAGIC), "nfs");
  EXPECT_EQ(silent_kind(CIFS_SUPER_MAGIC), "cifs");
  EXPECT_EQ(silent_kind(SMB2_SUPER_MAGIC), "smb2");
  EXPECT_EQ(silent_kind(FUSE_SUPER_MAGIC), "fuse");
  EXPECT_EQ(silent_kind(V9FS_MAGIC), "9p");
  EXPECT_EQ(silent_kind(0x786f4256), "vboxsf");
}

TEST(FileSystemKind, LocalOnesAreNot) {
  for (const std::uint64_t type : {EXT4_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC, XFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC})
    EXPECT_EQ(silent_kind(type), std::nullopt) << type;
  EXPECT_EQ(silent_kind(BTRFS_SUPER_MAGIC), std::nullopt);
  EXPECT_EQ(silent_kind(F2FS_SUPER_MAGIC), std::nullopt);
}

TEST(FileSystemKind, WhatCannotBeAskedIsTakenForLocal) { EXPECT_EQ(silent_kind_of(-1), std::nullopt); }

}  // namespace
}  // namespace loci
