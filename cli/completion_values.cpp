#include <set>

#include "capture/task.h"
#include "cli/completion.h"
#include "consolidate/runs/run_record.h"

namespace loci::cli {
namespace {

constexpr size_t most_values = 200;
constexpr size_t entries_looked_at = 2000;  // of the newest: a key press must not read a whole memory

void add_if(std::vector<std::string>& values, std::set<std::string>& seen, const std::string& value, std::string_view prefix) {
  if (!value.empty() && value.starts_with(prefix) && values.size() < most_values && seen.insert(value).second)
    values.push_back(value);
}

}  // namespace

std::vector<std::string> completion_values(Memory& memory, std::string_view what, std::string_view prefix) {
  std::vector<std::string> values;
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
