// Whether a file of the archive can take another entry at its end. Finding out costs a parse of the file, which would make adding
// the ten-thousandth entry of a day slow. So what an append left behind is noted in the state folder and holds as long as inode,
// size and times of the file stay the same. The notes are only a shortcut: any of them may be lost or broken.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "vault/vault.h"

namespace loci {

struct ArchiveTail {
  std::uint64_t size = 0;
  int lines = 0;               // line ends in the file
  bool final_newline = true;   // an empty file counts as ending in one
  bool takes_entries = false;  // nothing is left open, and no conflict markers
};

Result<ArchiveTail> examine_tail(const Vault& vault, const Fd& fd, const path& name);

// The file now ends at `size` with whole entries that were written behind a tail that took them. Does nothing if it has grown
// since.
void note_clean_tail(const Vault& vault, const Fd& fd, const path& name, std::uint64_t size, int lines);

}  // namespace loci
