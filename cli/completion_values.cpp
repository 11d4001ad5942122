#include <algorithm>
#include <set>

#include "capture/task.h"
#include "cli/completion.h"
#include "cli/output.h"
#include "consolidate/runs/run_record.h"
#include "memory/removed_entries.h"
#include "vault/logs/chronicle.h"

namespace loci::cli {
namespace {

constexpr size_t most_values = 200;
constexpr size_t width_of_about = 60;
constexpr size_t entries_looked_at = 2000;  // of the newest: a key press must not read a whole memory

void add_if(std::vector<CompletionValue>& values, std::set<std::string>& seen, const std::string& value, std::string_view prefix) {
  if (!value.empty() && value.starts_with(prefix) && values.size() < most_values && seen.insert(value).second)
    values.push_back({value});
}

// What an ended id said: from the files, or from the copy that was kept of it.
std::string text_of_ended(Memory& memory, const std::vector<RemovedEntry>& removed, const std::string& id) {
  if (const auto reader = memory.reader())
    if (const auto found = (*reader)->find(id, 1); found && !found->empty() && found->front().id == id) return found->front().text;
  const auto kept = std::ranges::find(removed.rbegin(), removed.rend(), id, &RemovedEntry::id);
  return kept == removed.rend() ? std::string() : entry_of(*kept).text;
}

std::vector<CompletionValue> ended_ids(Memory& memory, std::string_view prefix) {
  const auto chronicle = Chronicle::read(memory.vault());
  if (!chronicle) return {};
  std::vector<std::string> ids = chronicle->removed_ids();
  std::erase_if(ids, [&](const std::string& id) { return !id.starts_with(prefix); });
  std::ranges::stable_sort(ids, std::ranges::greater(), [&](const std::string& id) { return chronicle->tombstone_of(id)->at; });
  if (ids.size() > most_values) ids.resize(most_values);
  const auto removed = read_removed_entries(memory.vault()).value_or(std::vector<RemovedEntry>());
  std::vector<CompletionValue> values;
  for (const std::string& id : ids) values.push_back({id, one_line(text_of_ended(memory, removed, id), width_of_about)});
  return values;
}

}  // namespace

std::vector<CompletionValue> completion_values(Memory& memory, std::string_view what, std::string_view prefix) {
  if (what == "ended") return ended_ids(memory, prefix);
  std::vector<CompletionValue> values;
  std::set<std::string> seen;
  if (what == "settings") {
    for (const Setting& setting : memory.vault().loaded_config().settings) add_if(values, seen, setting.key, prefix);
    return values;
  }
  if (what == "runs") {
    if (const auto runs = list_runs(memory.vault()))
      for (const RunRecord& run : *runs) add_if(values, seen, run.run, prefix);
    return values;
  }
  if (what == "tasks") {
    if (const auto tasks = active_tasks(memory))
      for (const Task& task : *tasks) add_if(values, seen, task.task, prefix);
    return values;
  }
  auto reader = memory.reader();
  if (!reader) return values;
  if (what == "sessions") {
    if (const auto sessions = (*reader)->sessions(entries_looked_at))
      for (const SessionSummary& session : *sessions) add_if(values, seen, session.id, prefix);
    return values;
  }
  if (what == "ids" && !prefix.empty()) {
    if (const auto entries = (*reader)->find(prefix, most_values))
      for (const Entry& entry : *entries) add_if(values, seen, entry.id, prefix);
    return values;
  }
  const auto entries = (*reader)->recent(EntryFilter{}, entries_looked_at);
  if (!entries) return values;
  for (const Entry& entry : *entries) {
    if (what == "ids") add_if(values, seen, entry.id, prefix);
    if (what == "projects") add_if(values, seen, entry.project, prefix);
    if (what == "tags")
      for (const std::string& tag : entry.tags) add_if(values, seen, tag, prefix);
  }
  return values;
}

}  // namespace loci::cli
