// The route that runs consolidation.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

// {"force":true|false}, or no body. Responds when the run is over: with a model that may take minutes. 502 with the same body if
// the model could not be reached or gave no usable answer; what was settled stays.
void post_consolidate(const RouteCall& call, const Respond& respond);

}  // namespace loci
