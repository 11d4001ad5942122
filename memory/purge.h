// Purging a secret: unlike forget it blanks the text itself, wherever loci or the vault holds it. The one operation that changes
// bytes of the archive. Lines keep their numbers and every other entry stays as it is. Afterwards no hash of the text is left
// either.
//
// Out of reach, and the caller says so: git history, backups, other machines, blocks that a file system has not yet overwritten.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memory/memory.h"

namespace loci {

struct PurgeOptions {
  bool everywhere = false;  // also what else says nearly the same
};

// What would be purged: the entries named (forgotten ones too), the facts they rest on, what rests on them, and every entry with
// the same text. Nothing is written.
Result<std::vector<Entry>> entries_to_purge(Memory& memory, const std::vector<std::string>& ids, const PurgeOptions& options);

struct Purged {
  std::vector<std::string> ids;
  std::vector<std::string> files;        // of the vault, relative, that were changed
  std::vector<std::string> state_files;  // of the state folder
  std::vector<std::string> still_in;     // files, also of the vault, in which a line of the text still stands
  std::vector<std::string> notes;        // what could not be done, and why
  bool complete = true;                  // false if something could not be done
};

Result<Purged> purge(Memory& memory, const std::vector<Entry>& entries, const ProgressCallback& progress = {});

// The bytes of a markdown file with the text of these entries blanked: found by id where they have metadata, by hash otherwise. As
// many lines as before; every other entry reads as before. Pure.
struct PurgeTarget {
  std::set<std::string, std::less<>> ids;
  std::set<std::string, std::less<>> hashes;  // 32 hex digits
};
std::string purge_markdown(std::string_view file, const PurgeTarget& target);

inline constexpr std::string_view purged_placeholder = "(purged)";

// Is this what a purge leaves of an entry's text? It is nobody's words, and must not be searched for.
bool is_purged(std::string_view text);

}  // namespace loci
