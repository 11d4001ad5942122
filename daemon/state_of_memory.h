// How a memory is, in the events that GET /memory/events sends when something of it has changed.
#pragma once

#include "daemon/consolidate_loop.h"
#include "daemon/event_hub.h"
#include "memory/memory.h"

namespace loci {

// `index`: how many entries and facts there are. `runs`: whether consolidation runs, how far it is, and the newest runs with their
// outcomes. `questions`: the files about which a person is asked something. What cannot be read now is left out.
Events state_of(Memory& memory, const ConsolidateLoop::State& consolidation);

// Runs and questions are a person's affair, and so are names of files, which may be private.
bool is_for_agents(const Event& event);

}  // namespace loci
