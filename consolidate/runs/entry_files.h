// What planned entries make of the files of consolidated/: their bytes before and after. Reads, and writes nothing.
#pragma once

#include <string>
#include <vector>

#include "consolidate/decide/plan.h"
#include "consolidate/runs/run_record.h"
#include "memory/memory.h"
#include "vault/changes/file_transaction.h"

namespace loci {

inline constexpr size_t consolidated_bytes = size_t{1} << 20;  // a file that would pass this goes on in memory-2.md, …

struct FileChanges {
  std::vector<FileChange> files;     // those that take something in before those that only give away
  std::vector<EntryRecord> entries;  // in the order of the plan
};

// Where new entries go.
enum class Placement : std::uint8_t {
  at_the_end,      // of the last of memory.md, memory-2.md, …
  from_the_first,  // of memory.md if there is room: after a rebuild took out what stood there
};

// Metadata that a plan does not know (other keys, a category) stays. ErrorCode::refused if an entry no longer has the text that the
// plan was made on, or a file cannot be edited.
Result<FileChanges> changes_of_files(Memory& memory, const std::vector<PlannedEntry>& changes, Placement placement);

}  // namespace loci
