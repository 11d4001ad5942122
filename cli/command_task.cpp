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
  const auto text = TRY(read_standard_input(2 * max_entry_bytes));
  const auto task = TRY(parse_task(text, words.back()));
  auto memory = TRY(invocation.open_memory());
  const auto completed = TRY(complete_task(memory, task));
  Output& out = invocation.out;
  if (out.json())
    out.value(completed_task_to_json(task.task, completed));
  else
    for (const Appended& entry : completed.summary) out.line(entry.id);
  if (completed.summary.empty() && !out.json()) out.note("this is known: nothing was added");
  if (!completed.searchable.yes) out.warn("stored, but not searchable yet: " + completed.searchable.reason);
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
