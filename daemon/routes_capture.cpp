#include "daemon/routes_capture.h"

#include "base/log.h"
#include "capture/json_fields.h"
#include "capture/json_shapes.h"
#include "capture/pauses.h"
#include "daemon/write_step.h"
#include "memory/filter_values.h"
#include "memory/may_send.h"

namespace loci {
namespace {

// Steps that write run on the queue's thread, in their turn; this one waits.
RunStep in_queue(WriteQueue& writes) {
  return [&writes](const std::function<Status(Memory&)>& step) { return write_step(writes, step); };
}

Result<Extracted> extract_turn(const RouteContext& context, const std::string& session, std::int64_t turn, std::stop_token stop) {
  const auto model = TRY(context.open_language_model());
  if (!model) return Extracted{};
  return context.memories.with<Extracted>(
      [&](Memory& memory) { return extract_from_turn(memory, *model, session, turn, std::move(stop), in_queue(context.writes)); });
}

}  // namespace

void extract_in_background(const RouteContext& context, ModelWork& work, const std::string& session, std::int64_t turn) {
  const bool posted = work.post_in_background([&context, session, turn](std::stop_token stop) {
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

void post_turn(const RouteCall& call, const Respond& respond) {
  auto turn = parse_turn(call.request.body);
  if (!turn) return respond(error_response(turn.error()));
  turn->told_by = actor_of(call.request);
  auto store = [respond, turn = std::move(*turn), &context = call.context, &work = call.model_work](Memory& memory) {
    const auto stored = store_turn(memory, turn);
    if (!stored) return respond(error_response(stored.error()));
    respond(json_response(stored_turn_to_json(*stored), stored->known ? 200 : 201));
    if (wants_extraction(memory.vault(), *stored)) extract_in_background(context, work, stored->session, stored->turn);
  };
  if (auto queued = call.context.writes.run(std::move(store)); !queued) respond(error_response(queued.error(), 503));
}

void post_extract(const RouteCall& call, const Respond& respond) {
  auto fields = JsonFields::parse(call.request.body);
  const std::string session = fields ? fields->text("session") : std::string();
  const auto turn = fields ? fields->integer("turn") : std::nullopt;
  auto wanted = fields ? fields->finish() : std::unexpected(fields.error());
  if (wanted && (session.empty() || !turn)) wanted = fail(ErrorCode::usage, "which turn?", R"(send {"session":"…","turn":0})");
  if (!wanted) return respond(error_response(wanted.error()));
  const auto is_wanted = call.context.memories.with<bool>([&](Memory& memory) -> Result<bool> {
    return wants_extraction(memory.vault(), {.session = session, .turn = *turn, .entries = {}, .known = true, .searchable = {}});
  });
  if (!is_wanted) return respond(error_response(is_wanted.error()));
  if (*is_wanted) extract_in_background(call.context, call.model_work, session, *turn);
  respond(json_response(Json(Json::Object{{"v", 1}}), 202));
}

void post_session_end(const RouteCall& call, const Respond& respond) {
  call.model_work.post_request([respond, session = call.id, &context = call.context](std::stop_token stop) {
    const auto ended = end_session_of(context, session, std::move(stop));
    respond(ended ? json_response(ended_session_to_json(session, *ended)) : error_response(ended.error()));
  });
}

namespace {

using ChangeTask = Result<StoredTask> (*)(Memory&, const TaskInput&);
using ShowTask = Json (*)(const std::string&, const StoredTask&);

void change_task(const RouteCall& call, const Respond& respond, ChangeTask change, ShowTask show) {
  auto task = parse_task(call.request.body, call.id);
  if (!task) return respond(error_response(task.error()));
  auto work = [respond, change, show, actor = actor_of(call.request), task = std::move(*task)](Memory& memory) {
    if (const auto may = check_no_pause(memory.vault(), actor, task.session); !may) return respond(error_response(may.error()));
    const auto stored = change(memory, task);
    if (!stored) return respond(error_response(stored.error()));
    respond(json_response(show(task.task, *stored), stored->entries.empty() ? 200 : 201));
  };
  if (auto queued = call.context.writes.run(std::move(work)); !queued) respond(error_response(queued.error(), 503));
}

Result<DigestScope> digest_scope(const Values& given, Actor actor, Instant now) {
  DigestScope scope;
  scope.session = given.text("session");
  scope.is_for_agent = actor == Actor::agent;
  FilterValues values;
  values.since = given.text("since");
  values.until = given.text("until");
  values.now = now;
  const auto filter = TRY(filter_from(values));
  scope.since = filter.since;
  scope.until = filter.until;
  if (!scope.session.empty()) return scope;
  if (!scope.until) scope.until = now + std::chrono::milliseconds(1);
  if (!scope.since) scope.since = *scope.until - std::chrono::days(7);
  return scope;
}

}  // namespace

void post_task_start(const RouteCall& call, const Respond& respond) {
  change_task(call, respond, start_task, state_of_task_to_json);
}

void post_task_update(const RouteCall& call, const Respond& respond) {
  change_task(call, respond, update_task, state_of_task_to_json);
}

void post_task_complete(const RouteCall& call, const Respond& respond) {
  change_task(call, respond, complete_task, completed_task_to_json);
}

Result<HttpResponse> get_tasks(const RouteCall& call, Memory& memory) {
  auto tasks = TRY(active_tasks(memory));
  if (call.request.is_of_a_person()) return json_response(tasks_to_json(tasks));
  Sendable sendable(memory);
  std::vector<Task> shown;
  for (Task& task : tasks)
    if (TRY(sendable.may_send(task.entry))) shown.push_back(std::move(task));
  return json_response(tasks_to_json(shown));
}

void get_digest(const RouteCall& call, const Respond& respond) {
  const auto now = call.context.memories.with<Instant>([](Memory& memory) -> Result<Instant> { return memory.now(); });
  auto scope = now ? digest_scope(call.values, actor_of(call.request), *now) : std::unexpected(now.error());
  if (!scope) return respond(error_response(scope.error()));
  call.model_work.post_request([respond, scope = *scope, timeline = call.values.flag("timeline"),
                                &context = call.context](std::stop_token stop) {
    auto model = timeline ? Result<std::unique_ptr<LanguageModel>>() : context.open_language_model();
    if (!model) return respond(error_response(model.error()));
    const auto digest =
        context.memories.with<Digest>([&](Memory& memory) { return make_digest(memory, model->get(), scope, std::move(stop)); });
    respond(digest ? json_response(digest_to_json(*digest, scope)) : error_response(digest.error()));
  });
}

}  // namespace loci
