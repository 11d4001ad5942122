// When a file counts as unchanged. Pure.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "vault/layout/scan.h"

namespace loci {

// Two writes within one tick of a file system's clock leave the same times: whatever was modified this close to the moment it was
// read has to be hashed again. Two seconds is the coarsest tick in use (FAT).
inline constexpr std::int64_t racy_ns = 2'000'000'000;

inline bool is_racy(std::int64_t mtime_ns, std::int64_t read_at_ns) { return mtime_ns > read_at_ns - racy_ns; }

inline std::int64_t nanoseconds(Instant instant) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(instant.time_since_epoch()).count();
}

// The untrusted flag too: it changes what is believed of the file.
inline bool looks_unchanged(const FileState& known, const FileState& now) {
  return known.size == now.size && known.mtime_ns == now.mtime_ns && known.ctime_ns == now.ctime_ns && known.inode == now.inode &&
         known.untrusted == now.untrusted;
}

}  // namespace loci
