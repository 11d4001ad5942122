// The routes that write: they check what they are given, put the work into the write queue, and respond from its thread.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

void post_entries(const RouteCall& call, const Respond& respond);
void patch_entry(const RouteCall& call, const Respond& respond);
void delete_entry(const RouteCall& call, const Respond& respond);

// Makes the index look at files, or at all of them: {"paths":[…]} or {"clear_existing":true}. Blocks until it has.
Result<HttpResponse> post_reindex(const RouteCall& call);

}  // namespace loci
