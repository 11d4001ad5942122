// GET /memory/events: server-sent events, one whenever the index has changed.
#pragma once

#include "daemon/routes_read.h"

namespace loci {

// "event: index" with {"v":1,"generation","entries":{…},"facts":{…}}: at once, and after every change.
Result<HttpResponse> get_events(const RouteCall& call);

// A response of events: text/event-stream, never buffered, with a comment every 15 s.
HttpResponse event_stream(std::shared_ptr<HttpBody> body);

}  // namespace loci
