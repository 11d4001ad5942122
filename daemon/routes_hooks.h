// The route of agents' hooks.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

// The event's JSON as the agent has it; a path of a transcript in it is not followed. Answers what the agent reads, or {}.
void post_hook(const RouteCall& call, const Respond& respond);

}  // namespace loci
