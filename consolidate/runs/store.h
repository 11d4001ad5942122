// The files' side of consolidation: reading what there is, and writing what was planned so that a crash at any point, a person's
// save at any moment and a second machine cost nothing. Whoever calls a function that writes holds the consolidation lock; one
// thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process_lock.h"
#include "consolidate/decide/material.h"
#include "consolidate/decide/plan.h"
#include "consolidate/runs/run_record.h"
#include "memory/memory.h"
#include "memory/vault_logs.h"

namespace loci {

// The lock of all consolidation on this machine: .loci/ledger/ (flock). ErrorCode::locked names the holder.
Result<ProcessLock> take_consolidation_lock(const Vault& vault);
std::optional<std::string> consolidation_lock_holder(const Vault& vault);  // none: it is free

// A run that starts now: its id, the ledger's present generation, and a time behind every line of the ledger, so that a clock that
// was set back cannot put what the run settles before what an undo took back.
Result<RunIdentity> new_run(const Vault& vault);

// Pending facts and consolidated entries. The index has been brought up to date.
Result<Material> read_material(Memory& memory);

// What a person said and was kept word for word, since no other text was accepted, is a fact of the material once more if there are
// others to decide about (`force`: quarantined ones count).
Result<std::int64_t> count_as_said(const Vault& vault);  // such entries
Status offer_again(Memory& memory, Material& material, bool force);

// Finishes what a run, or an undo, that was killed left: the lines of the ledger for what stands in the files already, as its
// record has them; without one, by `from`: a pending fact that stands there, and was not edited since, has been settled into that
// entry. An entry that is inactive, because one of the facts that it rests on was forgotten, is taken apart: its other facts are
// pending again, and so is a fact that a person restored after its entry had gone. How many facts were settled or let go. Call it
// before anything else of a run, and when a daemon starts.
Result<size_t> settle_unfinished(Memory& memory);

// A person's edits of consolidated entries become facts of the archive (source user, `corrects` the entry), the entries rest on
// them from then on, and say so. Not while a question about their file waits. How many.
Result<size_t> file_edited_entries(Memory& memory, const RunIdentity& identity, RunRecord& record);

// Replaces the files, then appends tombstones and ledger, then lets the index look. ErrorCode::refused, with nothing written, if
// an entry is no longer what was planned on (somebody saved meanwhile), if a fact of the plan was forgotten or changed, or if git
// or the file system is in the way. What was done is in the record, durably, before the files change: in its last cluster, which
// the caller has added. On any other failure the files hold what they held, or settle_unfinished() finishes it. A text in
// consolidated/ that rests on no fact becomes one of the archive before it is changed.
Status apply_plan(Memory& memory, const Plan& plan, RunRecord& record);

// Facts that say what a later one, with `corrects: <the entry that they were in>`, has overruled; by the index of that one.
using Overruled = std::vector<std::pair<size_t, std::vector<Fact>>>;

// Takes them out of the material: they are pending again because their entry went, and must not say again what was wrong.
Overruled take_overruled(Material& material, const VaultLogs& logs);

// The facts of a rebuild: all active facts of the archive, as if none was settled; entries: those without `from`. A fact that
// corrects a consolidated entry takes the facts that entry rested on with it: `overruled`, by the index of the fact that does.
struct RebuildMaterial {
  Material material;
  Overruled overruled;
  std::int64_t next_generation = 1;
};
// ErrorCode::refused while the entries of a file may not be touched: git's conflict markers, a question to a person, or an edit
// that file_edited_entries() has not filed.
Result<RebuildMaterial> read_rebuild_material(Memory& memory);

// Settles what was overruled with the fact that did it: into the same entry, which rests on it too, with nothing of its text. Pure.
void settle_overruled(Plan& plan, const Material& material, const Overruled& overruled, const RunIdentity& identity);

// A rebuild: every entry with `from` goes, those of the plan come, all others stay byte for byte; one replace a file, then the
// ledger's next generation (identity.generation of the plan). Fails like apply_plan().
Status apply_rebuild(Memory& memory, const Plan& plan, RunRecord& record);

}  // namespace loci
