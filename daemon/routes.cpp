#include "daemon/routes.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "daemon/routes_capture.h"
#include "daemon/routes_consolidate.h"
#include "daemon/routes_events.h"
#include "daemon/routes_hooks.h"
#include "daemon/routes_mcp.h"
#include "daemon/routes_read.h"
#include "daemon/routes_write.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"
#include "operations/table.h"

namespace loci {
namespace {

using Read = Result<HttpResponse> (*)(const RouteCall&, Memory&);      // with a memory
using Work = Result<HttpResponse> (*)(const RouteCall&);               // without
using Write = void (*)(const RouteCall&, const Respond&);              // responds later
using Streamed = void (*)(const RouteCall&, Memory&, const Respond&);  // with a memory, and goes on when it has responded

// Where a route's work is done.
enum class Where : std::uint8_t { here, long_work };

struct Handler {
  std::variant<const MemoryOperation*, Read, Work, Write, Streamed> call;
  Where where = Where::here;
};

struct Route {
  std::string_view method;
  std::string_view path;  // "{id}" stands for everything between what is before and what is behind it
  Handler handler;
  const MemoryOperation* operation = nullptr;  // null: it takes no parameters, and looks at its body itself
};

Result<HttpResponse> get_health(const RouteCall& call) {
  if (auto healthy = call.context.health(); !healthy) return error_response(healthy.error(), 503);
  Json body = versioned();
  body.add_unchecked("status", "ok");
  return json_response(body);
}

constexpr std::string_view id_place = "{id}";

// Of an operation that no function on one memory answers.
Handler handler_of(const MemoryOperation& operation) {
  const std::pair<const MemoryOperation*, Handler> all[] = {
      {&end_session_operation, {post_session_end}},
      {&edit_operation, {patch_entry}},
      {&forget_operation, {delete_entry}},
      {&digest_operation, {get_digest}},
      {&reindex_operation, {post_reindex, Where::long_work}},
      {&consolidate_operation, {post_consolidate}},
      {&export_operation, {get_export, Where::long_work}},
  };
  return std::ranges::find(all, &operation, &std::pair<const MemoryOperation*, Handler>::first)->second;
}

// Those of the table, and those that take a document of their own, or nothing.
std::vector<Route> made_routes() {
  std::vector<Route> all;
  for (const MemoryOperation* operation : all_operations()) {
    if (operation->path.empty()) continue;
    const Handler handler =
        operation->run ? Handler{operation, operation->may_take_long ? Where::long_work : Where::here} : handler_of(*operation);
    all.push_back({operation->method, operation->path, handler, operation});
    if (operation->takes_body) all.push_back({"POST", operation->path, handler, operation});
  }
  const Route others[] = {
      {"POST", "/memory/turns", {post_turn}},
      {"POST", "/memory/turns/extract", {post_extract}},
      {"GET", "/memory/tasks", {get_tasks}},
      {"POST", "/memory/tasks/{id}/start", {post_task_start}},
      {"POST", "/memory/tasks/{id}/update", {post_task_update}},
      {"POST", "/memory/tasks/{id}/complete", {post_task_complete}},
      {"POST", "/memory/entries", {post_entries}},
      {"GET", "/memory/events", {get_events, Where::long_work}},
      {"POST", "/mcp", {post_mcp, Where::long_work}},
      {"POST", "/hooks/{id}", {post_hook}},
      {"GET", "/healthz", {get_health}},
      {"GET", "/metrics", {get_metrics}},
  };
  all.insert(all.end(), std::begin(others), std::end(others));
  return all;
}

const std::vector<Route>& routes() {
  static const std::vector<Route> all = made_routes();
  return all;
}

// What stands in the place of "{id}", or empty for a route without one; none if the path is not of this route.
std::optional<std::string> matched(const Route& route, std::string_view path) {
  const size_t place = route.path.find(id_place);
  if (place == std::string_view::npos) return route.path == path ? std::optional<std::string>("") : std::nullopt;
  const std::string_view before = route.path.substr(0, place), behind = route.path.substr(place + id_place.size());
  if (!path.starts_with(before) || !path.ends_with(behind) || path.size() <= before.size() + behind.size()) return std::nullopt;
  return std::string(path.substr(before.size(), path.size() - before.size() - behind.size()));
}

HttpResponse response_of(const Result<HttpResponse>& answer) { return answer ? *answer : error_response(answer.error()); }

HttpResponse method_not_allowed(const std::string& method, const std::string& allowed) {
  auto response = error_response(Error{ErrorCode::usage, "'" + method + "' does not work here", "what does: " + allowed}, 405);
  response.headers["Allow"] = allowed;
  return response;
}

// A request on its way, for whichever thread answers it.
struct Pending {
  HttpRequest request;
  std::string id;
  const Route& route;
  Respond respond;
};

// What is asked for, if the route takes that. Of one that takes a document of its own, only the query is looked at.
Status take_given(const MemoryOperation* operation, RouteCall& call) {
  const bool has_query_of_its_own = operation && call.request.method != "POST" && call.request.method != "PATCH";
  if (!has_query_of_its_own && !call.request.query.empty())
    return fail(ErrorCode::usage, "unknown parameter '" + call.request.query.begin()->first + "'",
                "the manual lists what a route takes");
  if (!operation) return {};
  call.given = TRY(given_to(*operation, call.request, call.id));
  call.values = TRY(check_values(operation->parameters, call.given, actor_of(call.request)));
  return {};
}

void answer(const RouteContext& context, ModelWork& model_work, Surroundings& around, HookSpool& hook_spool,
            const Pending& pending) {
  RouteCall call{context, pending.request, pending.id, {}, {}, model_work, around, hook_spool};
  if (const auto taken = take_given(pending.route.operation, call); !taken) return pending.respond(error_response(taken.error()));
  const auto& handler = pending.route.handler.call;
  if (const auto* write = std::get_if<Write>(&handler)) {
    if (auto may = context.may_write(); !may) return pending.respond(error_response(may.error(), 503));
    return (*write)(call, pending.respond);
  }
  if (const auto* work = std::get_if<Work>(&handler)) return pending.respond(response_of((*work)(call)));
  if (const auto* streamed = std::get_if<Streamed>(&handler)) {
    const auto done = context.memories.with<bool>([&](Memory& memory) -> Result<bool> {
      (*streamed)(call, memory, pending.respond);
      return true;
    });
    if (!done) pending.respond(error_response(done.error()));
    return;
  }
  pending.respond(response_of(context.memories.with<HttpResponse>([&](Memory& memory) {
    const auto* operation = std::get_if<const MemoryOperation*>(&handler);
    return operation ? read_by(**operation, call, memory) : std::get<Read>(handler)(call, memory);
  })));
}

}  // namespace

Routes::Routes(RouteContext context)
    : context_(std::move(context)),
      around_{.status = context_.status,
              .wait_until_searchable = context_.wait_until_searchable,
              .recalls = {},
              .similar = context_.similar} {}

std::string_view route_of(std::string_view path) {
  for (const Route& route : routes())
    if (matched(route, path)) return route.path;
  return "other";
}

void Routes::handle(HttpRequest request, Respond respond) {
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  std::string allowed;
  for (const Route& route : routes()) {
    auto id = matched(route, request.path);
    if (!id) continue;
    if (route.method != method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method) + (route.method == "GET" ? ", HEAD" : "");
      continue;
    }
    Pending pending{std::move(request), std::move(*id), route, std::move(respond)};
    if (route.handler.where == Where::here) return answer(context_, model_work_, around_, hook_spool_, pending);
    Workers& threads = pending.request.query.contains("wait") ? waits_ : long_work_;
    return threads.post([this, pending = std::move(pending)] { answer(context_, model_work_, around_, hook_spool_, pending); });
  }
  if (!allowed.empty()) return respond(method_not_allowed(request.method, allowed));
  respond(error_response(Error{ErrorCode::not_found, "there is no '" + request.path + "' here", "the manual lists the routes"}));
}

}  // namespace loci
