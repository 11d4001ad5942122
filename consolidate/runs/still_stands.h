// Between reading and writing a model thinks, and a person may forget, correct, edit or purge meanwhile: what was decided on words
// that are gone must not bring them back. One thread; the caller holds the consolidation lock.
#pragma once

#include "base/result.h"
#include "consolidate/decide/material.h"
#include "consolidate/decide/plan.h"
#include "consolidate/runs/run_record.h"
#include "memory/memory.h"

namespace loci {

// Brings the index up to date with what was saved since it was read.
Status look_again(Memory& memory);

// Every fact that the plan settles or cites is active with the text it was read with, and every entry it changes is active: asked
// of the index, brought up to date now. ErrorCode::refused if not: then nothing may be written.
Status check_still_stands(Memory& memory, const Plan& plan);

// Takes the words out of what a run has noted about entries that were purged since, or that rest on a fact that was.
Status leave_out_purged(const Vault& vault, RunRecord& record);

}  // namespace loci
