// The files of the archive that are not as loci left them: somebody else changed or removed them, and nobody has looked yet whether
// an entry is lost (vault/archive/tail_restoration.h).
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/archive/tail_notes.h"
#include "vault/layout/vault.h"

namespace loci {

// As it was read.
struct SuspectFile {
  std::string file;  // relative to the vault's root
  bool exists = false;
  std::set<std::string, std::less<>> ids;    // of the entries in it
  std::set<std::string, std::less<>> texts;  // hashes of those without metadata
  TailNote note;                             // to write when nothing of it is in question any more
};

struct Suspects {
  std::vector<SuspectFile> files;
  // There are more, of which somebody may be in the middle of saving: so long until that can be told.
  std::optional<std::chrono::milliseconds> at_rest_in;
};

// A stat for each file that was appended to within the last day, and reads those that are suspect.
Result<Suspects> suspect_files(const Vault& vault);

}  // namespace loci
