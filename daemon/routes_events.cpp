#include "daemon/routes_events.h"

#include "daemon/event_hub.h"
#include "daemon/state_of_memory.h"
#include "http/stream.h"

namespace loci {
namespace {

std::string text_of(const Event& event) { return "event: " + event.name + "\ndata: " + to_string(event.data) + "\n\n"; }

}  // namespace

HttpResponse event_stream(std::shared_ptr<HttpBody> body) {
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.headers["X-Accel-Buffering"] = "no";
  response.stream = std::move(body);
  response.heartbeat = ":\n\n";
  return response;
}

HttpResponse events_while(EventHub& events, Actor actor, std::function<bool()> goes_on) {
  auto [stream, body] = make_http_stream();
  events.listen([out = std::make_shared<HttpStream>(std::move(stream)), goes_on = std::move(goes_on),
                 is_agents = actor == Actor::agent](const Events& news) {
    bool is_read = goes_on() && out->offer("");
    for (const Event& event : news)
      if (!is_agents || is_for_agents(event)) is_read = is_read && out->offer(text_of(event));
    return is_read;
  });
  return event_stream(std::move(body));
}

Result<HttpResponse> get_events(const RouteCall& call) {
  if (!call.context.events) return fail(ErrorCode::failed, "nobody tells of changes here");
  return events_while(*call.context.events, actor_of(call.request), [] { return true; });
}

}  // namespace loci
