// Whether a file of the archive can take another entry at its end. Finding out costs a parse of the file, which would make adding
// the ten-thousandth entry of a day slow. So an append notes up to where it knew the file (vault/archive/tail_notes.h), and the
// next one, of any process, reads on from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "vault/archive/tail_notes.h"
#include "vault/layout/vault.h"

namespace loci {

struct ArchiveTail {
  std::uint64_t size = 0;
  int lines = 0;               // line ends in the file
  bool final_newline = true;   // an empty file counts as ending in one
  bool takes_entries = false;  // nothing is left open, and no conflict markers
  bool is_suspect = false;     // somebody else changed what was there before, and nobody has looked for what is lost
  std::string last_id;         // of the last entry that loci wrote; empty: there is none
};

// A note holds for a file with the same inode that has not changed since, or that has grown and still has the same bytes before the
// noted end. (Bytes before those could have been changed in place, in the same length, by somebody else while a third one appended;
// then the entry goes where it would have gone had that change come a moment later.) `file` is relative to the vault's root, `name`
// as it was opened.
Result<ArchiveTail> examine_tail(const Vault& vault, const std::string& file, const Fd& fd, const path& name);

// What a whole file's bytes say of its end.
ArchiveTail tail_of(std::string_view bytes);

// What is known of the file up to `tail.size`, which is clean, extended to `end` if what stands between is clean as well.
Result<ArchiveTail> read_on(const Fd& fd, const path& name, const ArchiveTail& tail, std::uint64_t end);

// Notes the end of an open file for the next append. A suspect tail stays so.
void note_tail(const Vault& vault, const std::string& file, const Fd& fd, const path& name, const ArchiveTail& tail);
// The note of it, of no file yet: identify() says of which.
TailNote note_of(const std::string& file, const ArchiveTail& tail);

}  // namespace loci
