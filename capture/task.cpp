#include "capture/task.h"

#include <algorithm>

#include "capture/files_of.h"
#include "capture/json_fields.h"
#include "capture/turn_state.h"
#include "indexer/standing.h"
#include "memory/removal.h"
#include "parser/text_hash.h"
#include "parser/writer.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

constexpr size_t longest_task = 512, most_tags_of_a_task = 100;
constexpr size_t most_looked_at = 10'000;
constexpr std::string_view state_at_end = "\n\nWorking state at its end:\n\n";

std::string head_of_state(const std::string& task) { return "Task " + task + ", in progress."; }

std::string text_of_state(const TaskInput& task) {
  const std::string state = normalise_text(task.state);
  return head_of_state(task.task) + (state.empty() ? "" : "\n\n" + state);
}

std::string state_in(std::string_view text, const std::string& task) {
  const std::string head = head_of_state(task);
  if (text.starts_with(head)) text.remove_prefix(head.size());
  while (text.starts_with('\n')) text.remove_prefix(1);
  return std::string(text);
}

std::string text_of_summary(const TaskInput& task) {
  const std::string conclusions = normalise_text(task.conclusions), state = normalise_text(task.state);
  std::string text = "Task " + task.task + ".";
  if (!conclusions.empty()) text += "\n\nConclusions:\n\n" + conclusions;
  if (!state.empty()) text += std::string(state_at_end) + state;
  return text;
}

Status check(const TaskInput& task) {
  if (normalise_text(task.task).empty()) return fail(ErrorCode::usage, "which task?", "any text is its id");
  if (task.task.size() > longest_task) return fail(ErrorCode::usage, "the task's id is too long");
  if (task.tags.size() > most_tags_of_a_task)
    return fail(ErrorCode::usage, "at most " + std::to_string(most_tags_of_a_task) + " tags");
  return {};
}

NewEntry entry_for(const TaskInput& task, std::string text) {
  Metadata metadata;
  metadata.source = Source::agent;
  metadata.kind = EntryKind::task_summary;
  metadata.task = task.task;
  metadata.project = task.project;
  metadata.session = task.session;
  metadata.tags = task.tags;
  return {std::move(metadata), std::move(text)};
}

NewEntry state_for(const TaskInput& task) {
  NewEntry entry = entry_for(task, text_of_state(task));
  entry.metadata.category = working_state;
  return entry;
}

// Summaries and states of a task that count, the latest first.
Result<std::vector<Entry>> entries_of(Memory& memory, const std::string& task) {
  const auto freshness = TRY(memory.bring_up_to_date());
  if (!freshness.fresh()) TRY(memory.take_in({}));
  EntryFilter filter;
  filter.kinds = {EntryKind::task_summary};
  filter.task = task;
  return memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent(filter, most_looked_at); });
}

bool is_state(const Entry& entry) { return entry.kind == EntryKind::task_summary && entry.category == working_state; }

// More than one where two machines, or a kill, left them: the latest counts, and all end together.
std::vector<Entry> take_states(std::vector<Entry>& entries) {
  std::vector<Entry> states;
  std::ranges::copy_if(entries, std::back_inserter(states), is_state);
  std::erase_if(entries, is_state);
  return states;
}

void inherit(TaskInput& task, const Entry& before) {
  if (task.project.empty()) task.project = before.project;
  if (task.session.empty()) task.session = before.session;
  if (task.tags.empty()) task.tags = before.tags;
}

// The new entry first: a kill between the two leaves two states, of which the later counts.
Result<StoredTask> take_the_place(Memory& memory, NewEntry entry, const std::vector<Entry>& states) {
  StoredTask stored;
  stored.entries = TRY(append_new(memory, {std::move(entry)}));
  std::vector<Tombstone> ended;
  for (const Entry& state : states)
    ended.push_back(tombstone_for(state, Tombstone::Reason::corrected, memory.now(), std::string(name_of(Actor::agent)),
                                  stored.entries.front().id));
  TRY(append_tombstones(memory.vault(), ended));
  stored.searchable = make_searchable(memory, files_of(stored.entries));
  return stored;
}

bool says(const Entry& summary, const std::string& text) {
  return summary.hash == stored_text_hash(text) || summary.text.starts_with(text + std::string(state_at_end));
}

}  // namespace

Result<TaskInput> parse_task(std::string_view json, std::string task) {
  const bool is_blank = json.find_first_not_of(" \t\r\n") == std::string_view::npos;
  auto fields = TRY(JsonFields::parse(is_blank ? "{}" : json));
  TaskInput input{.task = std::move(task),
                  .state = fields.text("state"),
                  .conclusions = fields.text("conclusions"),
                  .project = fields.text("project"),
                  .session = fields.text("session"),
                  .tags = fields.texts("tags")};
  TRY(fields.finish());
  return input;
}

Result<StoredTask> start_task(Memory& memory, const TaskInput& task) {
  TRY(check(task));
  const auto lock = TRY(TurnFolder::lock(memory.vault()));
  auto entries = TRY(entries_of(memory, task.task));
  const auto states = take_states(entries);
  if (states.empty()) return take_the_place(memory, state_for(task), {});
  if (normalise_text(task.state).empty() || states.front().hash == stored_text_hash(text_of_state(task))) return StoredTask{};
  return fail(ErrorCode::refused, "the task '" + task.task + "' is active already, with another state",
              "'loci task update' changes it");
}

Result<StoredTask> update_task(Memory& memory, const TaskInput& input) {
  TRY(check(input));
  if (normalise_text(input.state).empty()) return fail(ErrorCode::usage, "the update says nothing", R"(send {"state":"…"})");
  const auto lock = TRY(TurnFolder::lock(memory.vault()));
  auto entries = TRY(entries_of(memory, input.task));
  const auto states = take_states(entries);
  if (states.empty())
    return fail(ErrorCode::not_found, "there is no active task '" + input.task + "'", "'loci task start' makes it one");
  TaskInput task = input;
  inherit(task, states.front());
  NewEntry entry = state_for(task);
  if (states.size() == 1 && states.front().hash == stored_text_hash(entry.text) && states.front().session == task.session)
    return StoredTask{};
  return take_the_place(memory, std::move(entry), states);
}

Result<StoredTask> complete_task(Memory& memory, const TaskInput& input) {
  TRY(check(input));
  const auto lock = TRY(TurnFolder::lock(memory.vault()));  // of two that complete it at once, one finds what the other stored
  auto entries = TRY(entries_of(memory, input.task));
  const auto states = take_states(entries);
  TaskInput task = input;
  if (!states.empty()) inherit(task, states.front());
  if (!states.empty() && normalise_text(task.state).empty()) task.state = state_in(states.front().text, task.task);
  if (normalise_text(task.state).empty() && normalise_text(task.conclusions).empty())
    return fail(ErrorCode::usage, "the task says nothing", R"(send {"state":"…","conclusions":"…"}, or one of them)");
  NewEntry entry = entry_for(task, text_of_summary(task));
  if (states.empty() && std::ranges::any_of(entries, [&](const Entry& known) { return says(known, entry.text); }))
    return StoredTask{};
  return take_the_place(memory, std::move(entry), states);
}

Result<std::vector<Task>> active_tasks(Memory& memory) {
  EntryFilter filter;
  filter.kinds = {EntryKind::task_summary};
  filter.layers = {Layer::L0};
  auto states = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent(filter, most_looked_at); }));
  std::vector<Task> tasks;
  for (Entry& state : states) {
    if (!is_state(state) || std::ranges::find(tasks, state.task, &Task::task) != tasks.end()) continue;
    EntryFilter linked;
    linked.task = state.task;
    linked.inactive = true;  // states that were updated since
    auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent(linked, most_looked_at); }));
    Task& task = tasks.emplace_back();
    for (const Entry& entry : entries)
      if (!entry.session.empty() && std::ranges::find(task.sessions, entry.session) == task.sessions.end())
        task.sessions.insert(task.sessions.begin(), entry.session);
    task.task = state.task;
    task.state = state_in(state.text, state.task);
    task.project = state.project;
    task.tags = state.tags;
    task.at = state.at;
    task.entry = std::move(state);
  }
  return tasks;
}

}  // namespace loci
