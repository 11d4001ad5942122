// What an importer read becomes part of a vault: facts, turns and summaries at their own days in the archive, with ids made of
// where they come from, so that a second run, also years later and of a larger export, adds only what is new. Their source is an
// agent: whoever wrote that file is not known. What was said in a pause, or with #nomemory, is not taken in (capture/pauses.h).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "importers/record.h"
#include "indexer/indexer.h"
#include "memory/import.h"
#include "memory/memory.h"

namespace loci::importers {

struct SkippedKind {
  size_t count = 0;
  std::string which;  // the first of them
};

struct TakenIn {
  size_t facts = 0, summaries = 0, turns = 0;  // found; a turn is what both sides said
  size_t kept_out = 0;                         // turns that are not to be remembered
  std::map<std::string, SkippedKind> skipped;  // by why
  std::vector<std::string> samples;            // the first texts found
  Imported imported;                           // its `found` counts entries: a turn is two
};

// ErrorCode::usage for what lies in the vault (canonical), also by a link: that is memory where it is, or does not belong there.
Status check_outside(const path& root, const path& vault);

using ImportReader = Status (*)(const ImportSource& source, Records& records);

// Reads all of it, in batches: a large export need not fit into memory. With `dry_run` nothing is written. Fails as reading and
// import_entries() do; what could be read stays, and the next run goes on from there. ErrorCode::not_found for what is not there,
// and for a folder with nothing of this origin in it; and like check_outside().
Result<TakenIn> take_in(Memory& memory, std::string_view origin, ImportReader read, const ImportSource& source, bool dry_run,
                        const ProgressCallback& progress);

}  // namespace loci::importers
