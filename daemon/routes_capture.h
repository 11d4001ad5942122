// The routes that store conversations. What they write goes through the write queue; while a model is asked, nothing waits for it
// but who asked.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

// {"session","turn"?,"message_id"?,"user","assistant","project"?,"at"?}: 201, or 200 if it was known. With [capture] extract =
// "turn" its facts are extracted afterwards, in the background.
void post_turn(const RouteCall& call, const Respond& respond);

// No body. Responds when the summary stands: with a model that may take a minute. 502 if the model fails.
void post_session_end(const RouteCall& call, const Respond& respond);

// {"state","conclusions","project"?,"session"?,"tags"?}: 201, or 200 if it was known.
void post_task_complete(const RouteCall& call, const Respond& respond);

}  // namespace loci
