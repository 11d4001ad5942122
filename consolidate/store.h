// The files' side of consolidation: reading what there is, and writing what was planned so that a crash at any point, a person's
// save at any moment and a second machine cost nothing. Whoever calls a function that writes holds the consolidation lock; one
// thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process_lock.h"
#include "consolidate/material.h"
#include "consolidate/plan.h"
#include "consolidate/run_record.h"
#include "memory/memory.h"

namespace loci {

// The lock of all consolidation on this machine: .loci/ledger/ (flock). ErrorCode::locked names the holder.
Result<ProcessLock> take_consolidation_lock(const Vault& vault);
std::optional<std::string> consolidation_lock_holder(const Vault& vault);  // none: it is free

// Pending facts and consolidated entries. The index has been brought up to date. `run_records`: the failures so far.
Result<Material> read_material(Memory& memory);

// Finishes what a run that was killed left: a pending fact that stands in the `from` of an entry of consolidated/, and was not
// edited since, has been settled into it: the missing ledger lines are appended. How many.
Result<size_t> settle_unfinished(Memory& memory);

// A person's edits of consolidated entries become facts of the archive (source user, `corrects` the entry), the entries rest on
// them from then on, and say so. How many.
Result<size_t> file_edited_entries(Memory& memory, const RunIdentity& identity, RunRecord& record);

// Replaces the files, then appends the ledger, then lets the index look. ErrorCode::refused, with nothing written, if an entry is
// no longer what was planned on (somebody saved meanwhile), or if git or the file system is in the way. What was done is in the
// record, durably, before the files change.
Status apply_plan(Memory& memory, const Plan& plan, RunRecord& record);

// A rebuild: every entry with `from` goes, those of the plan come, all others stay byte for byte; one replace a file, then the
// ledger's next generation (identity.generation of the plan).
Status apply_rebuild(Memory& memory, const Plan& plan, RunRecord& record);

// The facts of a rebuild: all active facts of the archive, as if none was settled; entries: those without `from`. A fact that
// corrects a consolidated entry takes the facts that entry rested on with it: `overruled`, by the index of the fact that does.
struct RebuildMaterial {
  Material material;
  std::vector<std::pair<size_t, std::vector<Fact>>> overruled;
  std::int64_t next_generation = 1;
};
Result<RebuildMaterial> read_rebuild_material(Memory& memory);

}  // namespace loci
