#include <unistd.h>

#include "capture/json_shapes.h"
#include "capture/task.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/standard_input.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec task_positionals[] = {{"ACTION", ValueKind::task_action, true}, {"ID", ValueKind::task, false}};

// Nobody types JSON at a terminal: then the task starts, or ends, with what is known of it.
Result<TaskInput> task_from(const std::string& id) {
  if (::isatty(STDIN_FILENO) == 1) return parse_task("", id);
  const auto text = TRY(read_standard_input(2 * max_entry_bytes));
  return parse_task(text, id);
}

Result<int> list(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto tasks = TRY(active_tasks(memory));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(tasks_to_json(tasks));
    return 0;
  }
  for (const Task& task : tasks) {
    out.line(out.styled(Style::id, printable(task.task)) + "  " + out.styled(Style::dim, time_text(invocation.clock, task.at)) +
             "  " + out.styled(Style::place, place_text(task.entry)));
    if (!task.state.empty()) out.line("      " + one_line(task.state, 400));
    for (const std::string& session : task.sessions) out.line("      session " + printable(session));
  }
  if (tasks.empty()) out.note("no task is active");
  return 0;
}

Result<int> run_task(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const std::string& action = words.front();
  if (action == "list" && words.size() == 1) return list(invocation);
  const bool completes = action == "complete";
  const auto change = action == "start" ? start_task : action == "update" ? update_task : completes ? complete_task : nullptr;
  if (!change || words.size() != 2)
    return fail(ErrorCode::usage, change ? "which task?" : "'" + action + "' is nothing that a task can do",
                "usage: loci task start|update|complete ID, or loci task list");
  const auto task = TRY(task_from(words.back()));
  auto memory = TRY(invocation.open_memory_to_add());
  const auto stored = TRY(change(memory, task));
  Output& out = invocation.out;
  if (out.json())
    out.value(completes ? completed_task_to_json(task.task, stored) : state_of_task_to_json(task.task, stored));
  else
    for (const Appended& entry : stored.entries) out.line(entry.id);
  if (stored.entries.empty() && !out.json()) out.note("this is known: nothing was added");
  if (!stored.searchable.yes) out.warn("stored, but not searchable yet: " + stored.searchable.reason);
  return 0;
}

}  // namespace

constinit const Command task_command = {
    "task",
    "Keep what work in several conversations is about: start, update, complete, list",
    "loci task start|update|complete ID reads {\"state\":…, \"conclusions\":…, \"project\":…, \"session\":…, \"tags\":[…]}\n"
    "from standard input; each is optional. While a task is active its state is in L0; update replaces it. complete stores\n"
    "conclusions and state as a summary in L2. loci task list shows the active ones, with the conversations that link to them.\n"
    "The same again adds nothing.",
    task_positionals,
    {},
    run_task};

}  // namespace loci::cli
