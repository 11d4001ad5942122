// Writing what a run, a rebuild or an undo has computed, in the order that a crash can do no harm to: the record, the files, the
// logs. The caller holds the consolidation lock; one thread.
#pragma once

#include <vector>

#include "consolidate/entry_files.h"
#include "consolidate/run_record.h"
#include "memory/memory.h"

namespace loci {

// Notes the changes in the last cluster of the record, durably and with the pre-images; replaces the files; appends the logs; lets
// the index look. If a file cannot be replaced, those before it are put back and the record is what it was.
Status carry_out(Memory& memory, FileChanges changes, const std::vector<Tombstone>& tombstones,
                 const std::vector<LedgerEntry>& ledger, RunRecord& record);

}  // namespace loci
