#include "capture/extract.h"
#include "capture/json_shapes.h"
#include "cli/command.h"
#include "cli/standard_input.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec positionals[] = {{"complete", ValueKind::text, true}, {"ID", ValueKind::text, true}};

Result<int> run(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.front() != "complete")
    return fail(ErrorCode::usage, "'" + words.front() + "' is nothing that a task can do", "usage: loci task complete ID");
  const auto text = read_standard_input(2 * max_entry_bytes);
  if (!text) return std::unexpected(text.error());
  const auto task = parse_task(*text, words.back());
  if (!task) return std::unexpected(task.error());
  auto memory = invocation.open_memory();
  if (!memory) return std::unexpected(memory.error());
  const auto completed = complete_task(*memory, *task);
  if (!completed) return std::unexpected(completed.error());
  Output& out = invocation.out;
  if (out.json())
    out.value(completed_task_to_json(task->task, *completed));
  else
    for (const Appended& entry : completed->summary) out.line(entry.id);
  if (completed->summary.empty() && !out.json()) out.note("this is known: nothing was added");
  if (!completed->searchable.yes) out.warn("stored, but not searchable yet: " + completed->searchable.reason);
  return 0;
}

}  // namespace

constinit const Command task_command = {
    "task",
    "Keep what a task came to: JSON on standard input",
    "loci task complete ID reads {\"state\":…, \"conclusions\":…, \"project\":…, \"session\":…, \"tags\":[…]}; one of state and\n"
    "conclusions will do. The same again adds nothing.",
    positionals,
    {},
    run};

}  // namespace loci::cli
