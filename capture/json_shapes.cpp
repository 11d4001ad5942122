#include "capture/json_shapes.h"

#include "memory/change_shapes.h"
#include "memory/json_shapes.h"

namespace loci {
namespace {

Json tokens_to_json(const TokenUse& tokens) {
  Json value = Json::object();
  value.add_unchecked("input", tokens.input);
  value.add_unchecked("output", tokens.output);
  return value;
}

Json extracted_to_json(const Extracted& extracted) {
  Json value = Json::object();
  value.add_unchecked("facts", appended_to_json(extracted.facts));
  value.add_unchecked("tokens", tokens_to_json(extracted.tokens));
  value.add_unchecked("notes", extracted.notes);
  return value;
}

Json day_to_json(const DigestDay& day) {
  Json threads = Json::array();
  for (const DigestDay::Thread& thread : day.threads) {
    Json one = Json::object();
    one.add_unchecked("session", thread.session.empty() ? Json() : Json(thread.session));
    one.add_unchecked("entries", entries_to_json(thread.entries));
    threads.push_back(std::move(one));
  }
  Json value = Json::object();
  value.add_unchecked("day", day.day);
  value.add_unchecked("threads", std::move(threads));
  return value;
}

}  // namespace

Json stored_turn_to_json(const StoredTurn& stored, const Extracted* extracted) {
  Json value = versioned();
  value.add_unchecked("session", stored.session);
  value.add_unchecked("turn", stored.is_private ? Json() : Json(stored.turn));
  value.add_unchecked("known", stored.known);
  value.add_unchecked("private", stored.is_private);
  value.add_unchecked("entries", appended_to_json(stored.entries));
  add_searchable(value, stored.searchable);
  value.add_unchecked("extracted", extracted ? extracted_to_json(*extracted) : Json());
  return value;
}

Json ended_session_to_json(const std::string& session, const EndedSession& ended) {
  Json value = versioned();
  value.add_unchecked("session", session);
  value.add_unchecked("extracted", extracted_to_json(ended.gap_fill));
  value.add_unchecked("summary", appended_to_json(ended.summary));
  add_searchable(value, ended.searchable);
  value.add_unchecked("notes", ended.notes);
  return value;
}

namespace {

Json task_to_json(const std::string& task, const StoredTask& stored, const char* what) {
  Json value = versioned();
  value.add_unchecked("task", task);
  value.add_unchecked("known", stored.entries.empty());
  value.add_unchecked(what, appended_to_json(stored.entries));
  add_searchable(value, stored.searchable);
  return value;
}

}  // namespace

Json state_of_task_to_json(const std::string& task, const StoredTask& stored) { return task_to_json(task, stored, "state"); }

Json completed_task_to_json(const std::string& task, const StoredTask& completed) {
  return task_to_json(task, completed, "summary");
}

Json tasks_to_json(const std::vector<Task>& tasks) {
  Json list = Json::array();
  for (const Task& task : tasks) {
    Json one = Json::object();
    one.add_unchecked("task", task.task);
    one.add_unchecked("state", task.state);
    one.add_unchecked("project", task.project.empty() ? Json() : Json(task.project));
    one.add_unchecked("tags", task.tags);
    one.add_unchecked("at", time_to_json(task.at));
    one.add_unchecked("sessions", task.sessions);
    one.add_unchecked("entry", task.entry.id);
    list.push_back(std::move(one));
  }
  Json value = versioned();
  value.add_unchecked("tasks", std::move(list));
  return value;
}

Json digest_to_json(const Digest& digest, const DigestScope& scope) {
  Json days = Json::array();
  for (const DigestDay& day : digest.days) days.push_back(day_to_json(day));
  Json value = versioned();
  value.add_unchecked("since", time_to_json(scope.since));
  value.add_unchecked("until", time_to_json(scope.until));
  value.add_unchecked("session", scope.session.empty() ? Json() : Json(scope.session));
  value.add_unchecked("text", digest.text);
  value.add_unchecked("by_model", digest.by_model);
  value.add_unchecked("calls", digest.calls);
  value.add_unchecked("tokens", tokens_to_json(digest.tokens));
  value.add_unchecked("days", std::move(days));
  value.add_unchecked("notes", digest.notes);
  return value;
}

}  // namespace loci
