// How loci left each file of the archive that it appended to within the last day: one note a file, in the state folder (tails/).
//
// A note serves two purposes. The next append reads on from there and need not parse the file (vault/archive/archive_tail.h). And a
// file that is not as its note says was changed by somebody else, so that an entry may be lost from it: until somebody has looked
// (vault/archive/tail_restoration.h) the note stays suspect. Any of the notes may be lost: then a parse is repeated, or a loss is
// not noticed. Many processes may write at once; of two notes the later one stays.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "vault/layout/vault.h"

namespace loci {

struct TailNote {
  std::string file;               // relative to the vault's root
  std::string identity = "-";     // of the file; "-": it was not there
  std::string times = "-";        // "-": others wrote behind `size` meanwhile
  std::uint64_t size = 0;         // up to where it is known
  int lines = 0;                  // line ends up to there
  std::uint64_t fingerprint = 0;  // of the last bytes up to there
  bool takes_entries = false;     // another entry may follow there
  bool is_suspect = false;        // it had been changed, and nobody has looked
  std::string last_id;            // of the last entry up to there that loci wrote; empty: there is none
  Instant at;
};

std::optional<TailNote> read_tail_note(const Vault& vault, const std::string& file);
std::vector<TailNote> tail_notes(const Vault& vault);
// With the time of now. Does what it can.
void write_tail_note(const Vault& vault, TailNote note);
void remove_tail_notes(const Vault& vault, Instant older_than);

inline constexpr std::uint64_t fingerprint_bytes = 4096;
// Says of which file a note is, by its status and its bytes up to `note.size`: all of them, or at least the last fingerprint_bytes.
void identify(TailNote& note, const struct stat& info, std::string_view bytes);

// Is the file, opened from `name`, the one of the note, with what it had up to the note's end? It may have grown.
bool is_as_noted(const TailNote& note, const Fd& fd, const path& name, const struct stat& info);
// The same, and nobody wrote to it since.
bool is_untouched(const TailNote& note, const struct stat& info);

// The bytes of [begin, end); fewer if the file is shorter.
Result<std::string> read_range(const Fd& fd, const path& name, std::uint64_t begin, std::uint64_t end);

}  // namespace loci
