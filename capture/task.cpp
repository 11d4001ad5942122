#include <algorithm>

#include "capture/extract.h"
#include "capture/files_of.h"
#include "capture/json_fields.h"
#include "capture/turn_state.h"
#include "parser/text_hash.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr size_t longest_task = 512, most_tags_of_a_task = 100;

std::string text_of(const TaskInput& task) {
  const std::string conclusions = normalise_text(task.conclusions), state = normalise_text(task.state);
  std::string text = "Task " + task.task + ".";
  if (!conclusions.empty()) text += "\n\nConclusions:\n\n" + conclusions;
  if (!state.empty()) text += "\n\nWorking state at its end:\n\n" + state;
  return text;
}

Status check(const TaskInput& task) {
  if (normalise_text(task.task).empty()) return fail(ErrorCode::usage, "which task?", "any text is its id");
  if (task.task.size() > longest_task) return fail(ErrorCode::usage, "the task's id is too long");
  if (normalise_text(task.state).empty() && normalise_text(task.conclusions).empty())
    return fail(ErrorCode::usage, "the task says nothing", R"(send {"state":"…","conclusions":"…"}, or one of them)");
  if (task.tags.size() > most_tags_of_a_task)
    return fail(ErrorCode::usage, "at most " + std::to_string(most_tags_of_a_task) + " tags");
  return {};
}

NewEntry entry_for(const TaskInput& task) {
  Metadata metadata;
  metadata.source = Source::agent;
  metadata.kind = EntryKind::task_summary;
  metadata.task = task.task;
  metadata.project = task.project;
  metadata.session = task.session;
  metadata.tags = task.tags;
  return {std::move(metadata), text_of(task)};
}

// Does an active summary of this task say the same?
Result<bool> is_known(Memory& memory, const NewEntry& entry) {
  const auto freshness = TRY(memory.bring_up_to_date());
  if (!freshness.fresh()) TRY(memory.take_in({}));
  EntryFilter filter;
  filter.kinds = {EntryKind::task_summary};
  filter.task = entry.metadata.task;
  constexpr size_t most_looked_at = 10'000;
  const auto known =
      TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent(filter, most_looked_at); }));
  return std::ranges::find(known, stored_text_hash(entry.text), &Entry::hash) != known.end();
}

}  // namespace

Result<TaskInput> parse_task(std::string_view json, std::string task) {
  auto fields = TRY(JsonFields::parse(json));
  TaskInput input{.task = std::move(task),
                  .state = fields.text("state"),
                  .conclusions = fields.text("conclusions"),
                  .project = fields.text("project"),
                  .session = fields.text("session"),
                  .tags = fields.texts("tags")};
  TRY(fields.finish());
  return input;
}

Result<CompletedTask> complete_task(Memory& memory, const TaskInput& task) {
  TRY(check(task));
  NewEntry entry = entry_for(task);
  CompletedTask completed;
  {
    const auto lock = TurnFolder::lock(memory.vault());  // of two that complete it at once, one finds what the other stored
    if (!lock) return std::unexpected(lock.error());
    const auto known = TRY(is_known(memory, entry));
    if (known) return completed;
    auto appended = TRY(append_new(memory, {std::move(entry)}));
    completed.summary = std::move(appended);
  }
  completed.searchable = make_searchable(memory, files_of(completed.summary));
  return completed;
}

}  // namespace loci
