#include "base/counted.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "importers/give_out.h"
#include "memory/export.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec export_positionals[] = {{"PATH", ValueKind::file, false}};
constexpr auto export_options =
    joined(export_parameters, std::to_array<OptionSpec>({
                                  {"--jsonl", "", ValueKind::none, "print one JSON entry a line"},
                                  {"--to", "FORM", ValueKind::form, "write PATH for another program"},
                                  {"--private", "", ValueKind::none, "with --to: also what [privacy] never_send names"},
                              }));

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
  return for_each_as_markdown(memory, [&](const std::string& entry) {
    out.line(entry);
    return true;
  });
}

Json given_to_json(const importers::GivenOut& given) {
  Json value = versioned();
  value.add_unchecked("given", static_cast<std::int64_t>(given.given));
  Json lost = Json::object();
  for (const auto& [what, count] : given.lost) lost.add_unchecked(what, static_cast<std::int64_t>(count));
  value.add_unchecked("not_carried", std::move(lost));
  return value;
}

Result<int> write_for(Invocation& invocation, const std::string& form) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(ErrorCode::usage, "where to? PATH is missing", "loci export --to " + form + " PATH");
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const path target = invocation.environment.working_folder / words.front();
  const auto given = TRY(importers::give_out(memory, form, target, invocation.arguments.has("--private")));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(given_to_json(given));
    return 0;
  }
  out.line("wrote " + counted(given.given, "entry", "entries") + " to " + printable(target.string()));
  for (const auto& [what, count] : given.lost) out.line("not carried, of " + std::to_string(count) + ": " + what);
  return 0;
}

Result<int> run_export(Invocation& invocation) {
  if (const std::string form = invocation.arguments.text("--to"); !form.empty()) return write_for(invocation, form);
  if (!invocation.arguments.positionals().empty() || invocation.arguments.has("--private"))
    return fail(ErrorCode::usage, "PATH and --private belong to --to", "loci export --to json PATH");
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
    "The JSON goes back in with 'loci import'. The markdown is itself a file that a vault understands.\n"
    "--to writes PATH, a folder (claude-code, basic-memory) or a file (mem0, json, md), as that program takes it in, and says\n"
    "what it cannot carry. What exists is not overwritten; what [privacy] never_send names is left out. An entry takes\n"
    "along the tags of the headings above it, and what is private by anything but a tag gets one.",
    export_positionals,
    export_options,
    run_export};
}  // namespace loci::cli
