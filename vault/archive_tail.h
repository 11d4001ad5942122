// Whether a file of the archive can take another entry at its end. Finding out costs a parse of the file, so what this process
// found or wrote is remembered and holds as long as inode, size and times stay the same. Thread-safe.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "base/file_system.h"

namespace loci {

struct ArchiveTail {
  std::uint64_t size = 0;
  bool final_newline = true;   // an empty file counts as ending in one
  bool takes_entries = false;  // nothing is left open, and no conflict markers
};

Result<ArchiveTail> examine_tail(FileSystem& files, const Fd& fd, const path& name);

// The file now ends with whole entries that were written behind a tail that took them, at `size`. Does nothing if it has grown
// since.
void remember_clean_tail(FileSystem& files, const Fd& fd, const path& name, std::uint64_t size);

}  // namespace loci
