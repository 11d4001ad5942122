// What consolidation did or would do, as JSON: for the command line and HTTP alike ("v":1). Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "consolidate/consolidator.h"
#include "consolidate/runs/undo.h"

namespace loci {

// {"v":1,"gate":{…},"ran","dry_run","run":…|null,"promoted","calls","tokens","clusters":[…],"notes":[…]}. `prompts`: with the words
// that would be asked.
Json consolidated_to_json(const Consolidated& consolidated, bool prompts);

// {"v":1,"run","files":[…],"entries":[…],"kept":[…],"pending","notes":[…]}
Json undone_to_json(const Undone& undone);

// {"gate":{…},"last_run":{"run","at","outcome"}|null,"pending","quarantined","tokens":{"today","limit"}}: what `status` says. Looks
// at the index as it is.
Result<Json> consolidation_status(Memory& memory);

// How many facts had which outcome ("added", …), by the ledger lines of a run.
std::map<std::string, size_t> outcomes_of(const RunRecord& run);

}  // namespace loci
