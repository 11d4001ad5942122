// What `loci export` wrote, read back (memory/export.h).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "memory/memory.h"
#include "memory/own_text.h"
#include "vault/layout/environment.h"
#include "vault/logs/logs.h"

namespace loci {

struct Settled {
  LedgerEntry::Outcome outcome = LedgerEntry::Outcome::added;
  std::string entry;  // that the fact's text is in; empty if it was ignored
};

struct ExportedEntry {
  Entry entry;
  std::optional<Metadata> metadata;  // as it stood in its file; none of text without, and in exports of earlier versions
  std::optional<Settled> settled;    // of a fact
  std::vector<OwnText> own;          // where it stands in user.md and in a person's part of MEMORY.md
  bool is_record = false;            // its id stays where it comes from when its text changes: of another memory
  bool tells_settled = false;        // false: an export of an earlier version, which does not say
};

// JSON, JSON lines or markdown. ErrorCode::usage with the line or the entry's number that is wrong.
Result<std::vector<ExportedEntry>> parse_export(std::string_view bytes);

// The active entries of what `from` names: a file of an export or a folder.
Result<std::vector<ExportedEntry>> read_loci_export(const path& from, const Environment& environment, FileSystem& files,
                                                    const Clock& clock);

}  // namespace loci
