// Entries that come into a person's own file from another one: under the headings that they stood under, in their order, as they
// were written there. Pure, and checked by parsing like every edit (parser/entry_edit.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parser/metadata.h"

namespace loci {

struct EntryToInsert {
  std::string text = {};
  std::string written = {};               // of text without metadata: as it stood, bullet and all; empty if nobody knows
  std::optional<Metadata> metadata = {};  // none: it gets some only if it cannot stand without
  Metadata metadata_if_needed = {};       // for that, id and tags included
  std::vector<std::string> section = {};  // the headings above it, outermost first
  std::vector<std::string> tags = {};     // that have to count for it where it stands
  bool is_next_line = false;              // it stood on the line behind the one before
};

// All of `run`, which stand under the same headings. Those are found by their words, whatever the title of the file is, and made if
// they are missing; what stands under no heading goes below the title, or in front of the first heading. ErrorCode::refused if one
// of them would not read as what it says there, or anything else would read differently.
Result<std::string> insert_entries(std::string_view file, std::span<const EntryToInsert> run);

}  // namespace loci
