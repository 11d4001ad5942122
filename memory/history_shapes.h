// An entry's history as JSON: for the command line and HTTP alike ("v":1). Pure.
#pragma once

#include "base/json.h"
#include "memory/history.h"
#include "memory/json_shapes.h"

namespace loci {

// [{"day","text"}], the latest last.
Json former_states_to_json(const std::vector<FormerState>& states);

// {"v":1,"entry","replaces":[entry],"replaced_by":[entry],"said_before":[{"day","text"}],"rests_on":[entry],
//  "tombstones":[{"at","id","reason","by","superseded_by"}],"settled":[{"at","fact","outcome","entry","into"}]}
Json history_to_json(const EntryHistory& history, const RecallCounts* recalls);

}  // namespace loci
