#include "daemon/routes_mcp.h"

#include "daemon/event_hub.h"
#include "daemon/routes_events.h"
#include "daemon/write_step.h"
#include "edits/understand.h"
#include "mcp/http.h"
#include "mcp/subscription.h"

namespace loci {
namespace {

Status with_memory(const RouteContext& context, bool writes, const std::function<Status(Memory&)>& use) {
  if (!writes) {
    const auto done = context.memories.with<bool>([&](Memory& memory) -> Result<bool> {
      TRY(use(memory));
      return true;
    });
    return done ? Status() : std::unexpected(done.error());
  }
  TRY(context.may_write());
  return write_step(context.writes, [&](Memory& memory) -> Status {
    TRY(understand_first(memory));
    return use(memory);
  });
}

std::string event_of(const Json& message) { return "event: message\ndata: " + to_string(message) + "\n\n"; }

// The subscription and the stream of its events, as long as both last.
class Listener {
 public:
  Listener(mcp::Host host, mcp::Subscription subscription, HttpStream stream)
      : host_(std::move(host)), subscription_(std::move(subscription)), stream_(std::move(stream)) {
    subscription_.begin(host_);
    stream_.offer(event_of(subscription_.acknowledgement()));
  }

  bool look() {
    bool is_read = stream_.offer("");
    for (const Json& change : subscription_.changes(host_)) is_read = is_read && stream_.offer(event_of(change));
    return is_read;
  }

 private:
  mcp::Host host_;
  mcp::Subscription subscription_;
  HttpStream stream_;
};

}  // namespace

Result<HttpResponse> post_mcp(const RouteCall& call) {
  mcp::Server server(
      {.with_memory = [&context = call.context](bool writes, const auto& use) { return with_memory(context, writes, use); },
       .around = call.around,
       .version = LOCI_VERSION,
       .can_subscribe = call.context.events != nullptr});
  std::shared_ptr<HttpBody> events;
  const auto listen = [&](const mcp::Message& message) -> std::optional<Json> {
    auto subscription = mcp::Subscription::listening(message);
    if (!subscription) return mcp::error_message(message.id, subscription.error());
    auto [stream, body] = make_http_stream();
    auto listener = std::make_shared<Listener>(server.host(), std::move(*subscription), std::move(stream));
    call.context.events->listen([listener](const Events&) { return listener->look(); });
    events = std::move(body);
    return std::nullopt;
  };
  const HttpRequest& request = call.request;
  const auto answer = mcp::answer_post(server, {request.mcp_version, request.mcp_method, request.mcp_name, request.body},
                                       call.context.events ? mcp::Listen(listen) : mcp::Listen());
  if (events) return event_stream(std::move(events));
  HttpResponse response;
  response.status = answer.status;
  response.body = answer.body;
  return response;
}

}  // namespace loci
