// Between reading and writing a model thinks, and a person may forget, correct, edit or purge meanwhile: what was decided on words
// that are gone must not bring them back. One thread; the caller holds the consolidation lock.
#pragma once

#include "base/result.h"
#include "consolidate/material.h"
#include "consolidate/plan.h"
#include "consolidate/promotion.h"
#include "consolidate/run_record.h"
#include "memory/memory.h"

namespace loci {

// Every fact that the plan settles or cites is active with the text it was read with, and every entry it changes is active: asked
// of the index, brought up to date now. ErrorCode::refused if not: then nothing may be written.
Status check_still_stands(Memory& memory, const Plan& plan);

// The lines without those whose entry is gone, inactive or says something else by now than when the lines were chosen.
Result<std::vector<PromotedLine>> lines_that_still_stand(Memory& memory, std::vector<PromotedLine> lines,
                                                         const std::vector<DurableEntry>& chosen_from);

// Takes the words out of what a run has noted about entries that were purged since, or that rest on a fact that was.
Status leave_out_purged(const Vault& vault, RunRecord& record);

}  // namespace loci
