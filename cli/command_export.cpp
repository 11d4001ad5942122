#include "cli/command.h"
#include "cli/entry_text.h"
#include "memory/export.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

constexpr auto export_options =
    joined(export_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON entry a line"}}));

// The array is written as it is read, so that a large memory need not fit twice.
Status export_json(Output& out, Memory& memory, bool lines) {
  if (!lines) out.write("{\"v\":1,\"entries\":[");
  bool first = true;
  auto listed = for_each_exported(memory, [&](const Json& entry) {
    if (!lines) out.write(first ? "\n" : ",\n");
    first = false;
    out.write(to_string(entry));
    if (lines) out.line();
    return true;
  });
  if (!lines) out.line("\n]}");
  return listed;
}

Status export_markdown(Output& out, Memory& memory) {
  Status failed;
  auto listed = for_each_entry(memory, [&](const Entry& entry) {
    const auto markdown = entry_to_markdown(entry);
    if (!markdown) failed = std::unexpected(markdown.error());
    if (markdown) out.line(*markdown);
    return markdown.has_value();
  });
  return failed ? listed : failed;
}

Result<int> run_export(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const bool markdown = invocation.arguments.text("--format") == "md";
  if (markdown && invocation.arguments.has("--jsonl")) return fail(ErrorCode::usage, "--jsonl and --format md exclude each other");
  TRY(markdown ? export_markdown(invocation.out, memory)
               : export_json(invocation.out, memory, invocation.arguments.has("--jsonl")));
  return 0;
}

}  // namespace

constinit const Command export_command = {
    "export",
    "Write everything that counts, as JSON or as markdown",
    "The JSON goes back in with 'loci import'. The markdown is itself a file that a vault understands.",
    {},
    export_options,
    run_export};
}  // namespace loci::cli
