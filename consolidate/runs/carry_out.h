// Writing what a run, a rebuild or an undo has computed: the record, then files and logs as one (vault/changes/file_transaction.h).
// The caller holds the consolidation lock; one thread.
#pragma once

#include <vector>

#include "consolidate/runs/entry_files.h"
#include "consolidate/runs/run_record.h"
#include "memory/memory.h"

namespace loci {

// Notes the changes in the last cluster of the record, durably and with the pre-images; replaces the files and appends the logs;
// lets the index look. If that cannot be had, everything and the record is what it was, or it is finished by whoever writes next.
Status carry_out(Memory& memory, FileChanges changes, const std::vector<Tombstone>& tombstones,
                 const std::vector<LedgerEntry>& ledger, RunRecord& record);

}  // namespace loci
