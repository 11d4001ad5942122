// The routes that store conversations. What they write goes through the write queue; while a model is asked, nothing waits for it
// but who asked.
#pragma once

#include <stop_token>
#include <string>

#include "capture/extract.h"
#include "daemon/routes_read.h"

namespace loci {

// The facts of a turn that was just stored, when there is time.
void extract_in_background(const RouteContext& context, ModelWork& work, const std::string& session, std::int64_t turn);
// Gap-fill and summary; while a model is asked, nothing is held.
Result<EndedSession> end_session_of(const RouteContext& context, const std::string& session, std::stop_token stop);

// {"session","turn"?,"message_id"?,"user","assistant","project"?,"task"?,"at"?}: 201, or 200 if it was known. Its facts are
// extracted afterwards, in the background, as [capture] extract wants it.
void post_turn(const RouteCall& call, const Respond& respond);
// {"session","turn"}: somebody else stored this turn. 202; nothing happens unless [capture] extract wants it.
void post_extract(const RouteCall& call, const Respond& respond);

// No body. Responds when the summary stands: with a model that may take a minute. 502 if the model fails.
void post_session_end(const RouteCall& call, const Respond& respond);

// {"state"?,"conclusions"?,"project"?,"session"?,"tags"?}: 201, or 200 if it was known.
void post_task_start(const RouteCall& call, const Respond& respond);
void post_task_update(const RouteCall& call, const Respond& respond);
void post_task_complete(const RouteCall& call, const Respond& respond);

// The active ones. An agent sees none that is private.
Result<HttpResponse> get_tasks(const RouteCall& call, Memory& memory);

// since, until, session, timeline. With a model that may take minutes. 502 if it fails. An agent hears of nothing private.
void get_digest(const RouteCall& call, const Respond& respond);

}  // namespace loci
