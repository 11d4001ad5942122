#include "cli/command.h"
#include "context/context.h"
#include "context/read_request.h"
#include "operations/context.h"

namespace loci::cli {
namespace {

constexpr size_t longest_recent = size_t{1} << 20;

Result<std::vector<Utterance>> recent_from(const Invocation& invocation) {
  const std::string name = invocation.arguments.text("--recent");
  if (name.empty()) return std::vector<Utterance>{};
  const auto bytes = TRY(read_file(invocation.files, invocation.environment.working_folder / name, longest_recent));
  return read_recent(TRY(parse_json(bytes)));
}

Result<ContextRequest> request_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  ContextRequest request;
  request.message = arguments.text("--query");
  request.session = arguments.text("--session");
  request.turn = arguments.number("--turn");
  request.budget = arguments.number("--budget");
  request.project = arguments.text("--project");
  request.task = arguments.text("--task");
  request.recent = TRY(recent_from(invocation));
  TRY(set_period(request, arguments.text("--since"), arguments.text("--until"), invocation.clock.now()));
  return request;
}

Result<int> run_context(Invocation& invocation) {
  const auto request = TRY(request_from(invocation));
  auto memory = TRY(invocation.open_memory());
  const auto question = [&](IndexReader& reader) { return find_candidates(memory, reader, request); };
  const auto [found, freshness] = TRY(invocation.ask_fresh<ContextEntries>(memory, question));
  const auto context = TRY(context_of(memory, request, found));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(context_to_json(context));
    return 0;
  }
  out.line(printable(context.system));
  if (!context.message.text.empty()) out.line("\n" + printable(context.message.text));
  if (!context.message.exact) out.note("tokens are estimated: the table of the encoding is missing");
  return 0;
}

}  // namespace

constinit const Command context_command = {
    "context",
    "Show what an agent gets before it answers",
    "Two blocks: what goes into the system prompt at the start of a session, and what goes in front of a message: what this\n"
    "memory holds that concerns it. Without a message the latter is everything, the most certain first.",
    {},
    context_parameters,
    run_context};

}  // namespace loci::cli
