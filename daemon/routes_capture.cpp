#include "daemon/routes_capture.h"

#include <exception>
#include <future>

#include "base/log.h"
#include "capture/extract.h"
#include "capture/json_shapes.h"
#include "daemon/routes_parameters.h"

namespace loci {
namespace {

// Steps that write run on the queue's thread, in their turn; this one waits.
RunStep in_queue(WriteQueue& writes) {
  return [&writes](const std::function<Status(Memory&)>& step) -> Status {
    std::promise<Status> done;
    TRY(writes.run([&](Memory& memory) {
      try {
        done.set_value(step(memory));
      } catch (const std::exception& exception) {
        done.set_value(fail(ErrorCode::failed, std::string("a write failed: ") + exception.what()));
      }
    }));
    return done.get_future().get();
  };
}

Result<Extracted> extract_turn(const RouteContext& context, const std::string& session, std::int64_t turn, std::stop_token stop) {
  const auto model = TRY(context.open_language_model());
  if (!model) return Extracted{};
  return context.memories.with<Extracted>(
      [&](Memory& memory) { return extract_from_turn(memory, *model, session, turn, std::move(stop), in_queue(context.writes)); });
}

void extract_in_background(const RouteContext& context, ModelWork& work, const StoredTurn& stored) {
  const bool posted = work.post_in_background([&context, session = stored.session, turn = stored.turn](std::stop_token stop) {
    const auto extracted = extract_turn(context, session, turn, stop);
    if (!extracted && !stop.stop_requested())
      log_warning("no facts were extracted from a turn; the end of its session looks at it again: " + extracted.error().message);
  });
  if (!posted) log_warning("no facts are extracted from a turn: too many wait already; the end of its session looks at it again");
}

Result<EndedSession> end_session_of(const RouteContext& context, const std::string& session, std::stop_token stop) {
  const auto model = TRY(context.open_language_model());
  return context.memories.with<EndedSession>(
      [&](Memory& memory) { return end_session(memory, model.get(), session, std::move(stop), in_queue(context.writes)); });
}

Status check_no_body(const HttpRequest& request) {
  if (request.body.empty()) return {};
  const auto body = parse_json(request.body, {.bytes = max_request_body});
  if (body && body->as_object() && body->as_object()->empty()) return {};
  return fail(ErrorCode::usage, "the end of a session takes no body");
}

}  // namespace

void post_turn(const RouteCall& call, const Respond& respond) {
  if (auto checked = check_parameters(call.request, {}); !checked) return respond(error_response(checked.error()));
  auto turn = parse_turn(call.request.body);
  if (!turn) return respond(error_response(turn.error()));
  turn->told_by = call.request.from_command_line ? Actor::person : Actor::agent;
  auto store = [respond, turn = std::move(*turn), &context = call.context, &work = call.model_work](Memory& memory) {
    const auto stored = store_turn(memory, turn);
    if (!stored) return respond(error_response(stored.error()));
    respond(json_response(stored_turn_to_json(*stored), stored->known ? 200 : 201));
    if (wants_extraction(memory.vault().config(), *stored)) extract_in_background(context, work, *stored);
  };
  if (auto queued = call.context.writes.run(std::move(store)); !queued) respond(error_response(queued.error(), 503));
}

void post_session_end(const RouteCall& call, const Respond& respond) {
  if (auto checked = check_parameters(call.request, {}); !checked) return respond(error_response(checked.error()));
  if (auto checked = check_no_body(call.request); !checked) return respond(error_response(checked.error()));
  call.model_work.post_request([respond, session = call.id, &context = call.context](std::stop_token stop) {
    const auto ended = end_session_of(context, session, std::move(stop));
    respond(ended ? json_response(ended_session_to_json(session, *ended)) : error_response(ended.error()));
  });
}

void post_task_complete(const RouteCall& call, const Respond& respond) {
  if (auto checked = check_parameters(call.request, {}); !checked) return respond(error_response(checked.error()));
  auto task = parse_task(call.request.body, call.id);
  if (!task) return respond(error_response(task.error()));
  auto complete = [respond, task = std::move(*task)](Memory& memory) {
    const auto completed = complete_task(memory, task);
    if (!completed) return respond(error_response(completed.error()));
    respond(json_response(completed_task_to_json(task.task, *completed), completed->summary.empty() ? 200 : 201));
  };
  if (auto queued = call.context.writes.run(std::move(complete)); !queued) respond(error_response(queued.error(), 503));
}

}  // namespace loci
