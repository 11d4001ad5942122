// The entries that this machine appended to the archive within the last day, as the journal has them (vault/archive/journal.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vault/archive/archive_file.h"
#include "vault/layout/vault.h"

namespace loci {

// What was appended again counts where and when that happened last, in its place by the first time.
struct AppendedEntry {
  std::string file, id, hash;
  std::string behind;      // id of the entry in front of it when it was appended; empty: none
  std::string first_head;  // of git when it was appended first
  size_t first_sequence = 0;
  std::string block;  // metadata, text and end marker
};

// In the order of their first append.
Result<std::vector<AppendedEntry>> appended_entries(const Vault& vault);

// "archive/2026-11-21.2.md": the day "archive/2026-11-21". None if it is no file that loci appends to.
std::optional<ArchiveStem> stem_of_file(std::string_view file);

}  // namespace loci
