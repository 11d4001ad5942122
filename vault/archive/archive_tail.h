// Whether a file of the archive can take another entry at its end. Finding out costs a parse of the file, which would make adding
// the ten-thousandth entry of a day slow. So an append notes in the state folder up to where it knew the file, and the next one, of
// any process, reads on from there. The notes are only a shortcut: any of them may be lost or broken.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "vault/layout/vault.h"

namespace loci {

struct ArchiveTail {
  std::uint64_t size = 0;
  int lines = 0;               // line ends in the file
  bool final_newline = true;   // an empty file counts as ending in one
  bool takes_entries = false;  // nothing is left open, and no conflict markers
};

// A note holds for a file with the same inode that has not changed since, or that has grown and still has the same bytes before the
// noted end. (Bytes before those could have been changed in place, in the same length, by somebody else while a third one appended;
// then the entry goes where it would have gone had that change come a moment later.)
Result<ArchiveTail> examine_tail(const Vault& vault, const Fd& fd, const path& name);

// What is known of the file up to `tail.size`, which is clean, extended to `end` if what stands between is clean as well.
Result<ArchiveTail> read_on(const Fd& fd, const path& name, const ArchiveTail& tail, std::uint64_t end);

// Notes a tail that takes entries; does nothing for another.
void note_tail(const Vault& vault, const Fd& fd, const path& name, const ArchiveTail& tail);

// The bytes of [begin, end).
Result<std::string> read_range(const Fd& fd, const path& name, std::uint64_t begin, std::uint64_t end);

}  // namespace loci
