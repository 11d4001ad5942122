// Taking a run back: the bytes of its files if nobody has changed them since, else entry by entry what nobody has; and its facts
// are pending again (ledger outcome `undone`). A run of its own, which `loci log` lists.
#pragma once

#include <string>
#include <vector>

#include "consolidate/runs/run_record.h"
#include "memory/memory.h"

namespace loci {

struct Undone {
  std::string run;                   // that was taken back
  std::vector<std::string> files;    // that have their old bytes, or their old entries, again
  std::vector<std::string> entries;  // ids that were put back
  std::vector<std::string> kept;     // ids that a person, or a later run, has changed since: as they are
  size_t pending = 0;                // facts that are pending again
  std::vector<std::string> notes;
};

// ErrorCode::not_found: no such run, or it is older than what is kept; ErrorCode::refused: undone already, or git is in the way.
// The caller holds the consolidation lock.
Result<Undone> undo_run(Memory& memory, const std::string& run_or_prefix);

}  // namespace loci
