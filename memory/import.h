// Taking in another loci memory: an export (JSON or JSON lines), or a vault's folder. Dates, ids and origin are kept, sources too:
// loci is trusted to have kept them. Facts, turns and summaries go to the archive, at their own day; consolidated entries to
// consolidated/memory.md, with ledger lines for the facts they rest on; what stood in user.md, MEMORY.md or a note becomes a fact.
//
// A second run adds nothing: an id that is known, active or not, is left out, and so is a fact whose text is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/add.h"
#include "memory/memory.h"
#include "vault/layout/environment.h"

namespace loci {

// Reads an export. ErrorCode::usage with the line or the entry's number that is wrong.
Result<std::vector<Entry>> parse_export(std::string_view bytes);

// The active entries of what `from` names: a file of an export or a folder.
Result<std::vector<Entry>> read_loci_export(const path& from, const Environment& environment, FileSystem& files,
                                            const Clock& clock);

struct Imported {
  size_t found = 0;  // entries in the export
  size_t known = 0;  // left out: this memory has them, or has forgotten them
  size_t archived = 0, consolidated = 0;
  std::vector<std::string> notes;
  Searchable searchable;
};

// With `dry_run` nothing is written and the counts say what would be.
Result<Imported> import_entries(Memory& memory, std::vector<Entry> entries, bool dry_run);

}  // namespace loci
