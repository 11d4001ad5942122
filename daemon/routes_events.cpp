#include "daemon/routes_events.h"

#include "daemon/event_hub.h"
#include "daemon/routes_parameters.h"
#include "memory/json_shapes.h"

namespace loci {
namespace {

Result<std::string> index_event(MemoryPool& memories) {
  return memories.with<std::string>([](Memory& memory) -> Result<std::string> {
    auto* reader = TRY(memory.reader());
    const LayerCounts layers = reader->layers();
    const FactCounts facts = reader->facts();
    Json entries = Json::object();
    entries.add_unchecked("L0", layers.L0);
    entries.add_unchecked("L1", layers.L1);
    entries.add_unchecked("L2", layers.L2);
    Json counts = Json::object();
    counts.add_unchecked("total", facts.total);
    counts.add_unchecked("pending", facts.pending);
    counts.add_unchecked("settled", facts.settled);
    counts.add_unchecked("deleted", facts.deleted);
    Json event = versioned();
    event.add_unchecked("generation", reader->info().generation);
    event.add_unchecked("entries", std::move(entries));
    event.add_unchecked("facts", std::move(counts));
    return "event: index\ndata: " + to_string(event) + "\n\n";
  });
}

}  // namespace

HttpResponse event_stream(std::shared_ptr<HttpBody> body) {
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.headers["X-Accel-Buffering"] = "no";
  response.stream = std::move(body);
  response.heartbeat = ":\n\n";
  return response;
}

Result<HttpResponse> get_events(const RouteCall& call) {
  TRY(check_parameters(call.request, {}));
  if (!call.context.events) return fail(ErrorCode::failed, "nobody tells of changes here");
  const auto first = TRY(index_event(call.context.memories));
  auto [stream, body] = make_http_stream();
  stream.offer(first);
  auto shared = std::make_shared<HttpStream>(std::move(stream));
  call.context.events->listen([shared, &memories = call.context.memories, last = first]() mutable {
    const auto now = index_event(memories);
    if (!now || *now == last) return true;
    last = *now;
    return shared->offer(*now);
  });
  return event_stream(std::move(body));
}

}  // namespace loci
