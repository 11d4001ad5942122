// GET /memory/events: server-sent events, whenever something of the memory has changed.
#pragma once

#include <functional>
#include <memory>

#include "daemon/event_hub.h"
#include "daemon/routes_read.h"

namespace loci {

// At once, and whenever it is another one: `index` {"v":1,"generation","entries":{…},"facts":{…}}; for a person also
// `runs` {"v":1,"running","work":{"what","done","total"}|null,"runs":[{"run","kind","outcome"}]} and
// `questions` {"v":1,"questions":[{"file","kind"}]}. After every change of the index, for a person, `files`
// {"v":1,"files":[…]|null}.
Result<HttpResponse> get_events(const RouteCall& call);

// The same for as long as `goes_on` says so, which is asked before anything is told. It must not call the hub.
HttpResponse events_while(EventHub& events, Actor actor, std::function<bool()> goes_on);

// A response of events: text/event-stream, never buffered, with a comment every 15 s.
HttpResponse event_stream(std::shared_ptr<HttpBody> body);

}  // namespace loci
