#include "cli/command.h"
#include "memory/export.h"
#include "memory/import.h"
#include "memory/json_shapes.h"

namespace loci::cli {
namespace {

constexpr OptionSpec export_options[] = {
    {"--format", "FORMAT", ValueKind::format, "what to write (else json)"},
    {"--jsonl", "", ValueKind::none, "print one JSON entry a line"},
};
constexpr PositionalSpec import_positionals[] = {{"PATH", ValueKind::file, true}};
constexpr OptionSpec import_options[] = {
    {"--from", "ORIGIN", ValueKind::origin, "what PATH is (else loci)"},
    {"--dry-run", "", ValueKind::none, "say what would be added, and add nothing"},
};

// The array is written as it is read, so that a large memory need not fit twice.
Status export_json(Output& out, Memory& memory, bool lines) {
  if (!lines) out.write("{\"v\":1,\"entries\":[");
  bool first = true;
  auto listed = for_each_entry(memory, [&](const Entry& entry) {
    if (!lines) out.write(first ? "\n" : ",\n");
    first = false;
    out.write(to_string(entry_to_export(entry)));
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

Json imported_to_json(const Imported& imported, bool dry_run) {
  const auto number = [](size_t count) { return Json(static_cast<std::int64_t>(count)); };
  Json value = versioned();
  value.add_unchecked("dry_run", dry_run);
  value.add_unchecked("found", number(imported.found));
  value.add_unchecked("known", number(imported.known));
  value.add_unchecked("archived", number(imported.archived));
  value.add_unchecked("consolidated", number(imported.consolidated));
  value.add_unchecked("notes", imported.notes);
  value.add_unchecked("searchable", imported.searchable.yes);
  return value;
}

Result<int> run_import(Invocation& invocation) {
  const path from = invocation.environment.working_folder / invocation.arguments.positionals().front();
  auto memory = TRY(invocation.open_memory());
  auto entries = TRY(read_loci_export(from, invocation.environment, invocation.files, invocation.clock));
  const bool dry_run = invocation.arguments.has("--dry-run");
  const auto imported = TRY(import_entries(memory, std::move(entries), dry_run));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(imported_to_json(imported, dry_run));
  } else {
    out.line(std::to_string(imported.found) + " entries found, " + std::to_string(imported.known) + " of them known; " +
             (dry_run ? "would add " : "added ") + std::to_string(imported.archived) + " to the archive, " +
             std::to_string(imported.consolidated) + " to consolidated/");
  }
  for (const std::string& note : imported.notes) out.warn(note);
  if (!imported.searchable.yes) out.warn("stored, but not searchable yet: " + imported.searchable.reason);
  return imported.notes.empty() ? 0 : 1;
}

}  // namespace

constinit const Command export_command = {
    "export",
    "Write everything that counts, as JSON or as markdown",
    "The JSON goes back in with 'loci import'. The markdown is itself a file that a vault understands.",
    {},
    export_options,
    run_export};
constinit const Command import_command = {"import",
                                          "Take in another memory",
                                          "PATH is what 'loci export' wrote as JSON, or the folder of a vault. Dates, ids and "
                                          "sources are kept. What is known, or was forgotten\n"
                                          "here, is left out: a second run adds nothing.",
                                          import_positionals,
                                          import_options,
                                          run_import};

}  // namespace loci::cli
