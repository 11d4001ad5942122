#include "cli/command.h"
#include "cli/entry_text.h"
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

Json imported_to_json(const Imported& imported, bool dry_run) {
  const auto number = [](size_t count) { return Json(static_cast<std::int64_t>(count)); };
  Json value = versioned();
  value.add_unchecked("dry_run", dry_run);
  value.add_unchecked("found", number(imported.found));
  value.add_unchecked("known", number(imported.known));
  value.add_unchecked("archived", number(imported.archived));
  value.add_unchecked("consolidated", number(imported.consolidated));
  Json left_out = Json::array();
  for (const LeftOut& entry : imported.left_out) {
    Json one = Json::object();
    one.add_unchecked("id", entry.id);
    one.add_unchecked("text", entry.text);
    one.add_unchecked("why", name_of(entry.why));
    one.add_unchecked("restore", entry.restore.empty() ? Json() : Json(entry.restore));
    left_out.push_back(std::move(one));
  }
  value.add_unchecked("left_out", std::move(left_out));
  value.add_unchecked("searchable", imported.searchable.yes);
  return value;
}

std::string why_left_out(const LeftOut& entry) {
  const std::string restore = entry.restore.empty() ? std::string() : "; 'loci restore " + entry.restore + "' takes that back";
  switch (entry.why) {
    case LeftOut::Why::deleted:
      return "forgotten here" + restore;
    case LeftOut::Why::corrected:
      return "corrected here" + restore;
    case LeftOut::Why::purged:
      return "purged here";
    case LeftOut::Why::rests_on_removed:
      return (entry.restore.empty() ? "a fact that it was made of was purged here"
                                    : "a fact that it was made of was forgotten here") +
             restore;
  }
  return {};
}

void print_imported(Output& out, const Imported& imported, bool dry_run) {
  const size_t left_out = imported.left_out.size();
  out.line(std::to_string(imported.found) + " entries found, " + std::to_string(imported.known) + " of them known" +
           (left_out > 0 ? ", " + std::to_string(left_out) + " left out" : "") + "; " + (dry_run ? "would add " : "added ") +
           std::to_string(imported.archived) + " to the archive, " + std::to_string(imported.consolidated) + " to consolidated/");
  bool purged = false;
  for (const LeftOut& entry : imported.left_out) {
    purged = purged || entry.why == LeftOut::Why::purged;
    out.line("left out " + out.styled(Style::id, entry.id) + "  " + one_line(entry.text, 100) + "  (" + why_left_out(entry) + ")");
  }
  if (purged) out.note("a purge keeps only ids: a purged text that comes under another id is taken in, so look for it");
}

Result<int> run_import(Invocation& invocation) {
  const path from = invocation.environment.working_folder / invocation.arguments.positionals().front();
  auto memory = TRY(invocation.open_memory_to_change());
  const auto entries = TRY(read_loci_export(from, invocation.environment, invocation.files, invocation.clock));
  const bool dry_run = invocation.arguments.has("--dry-run");
  const auto imported = TRY(import_entries(memory, entries, dry_run));
  Output& out = invocation.out;
  out.json() ? out.value(imported_to_json(imported, dry_run)) : print_imported(out, imported, dry_run);
  if (!imported.searchable.yes) out.warn("stored, but not searchable yet: " + imported.searchable.reason);
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
constinit const Command import_command = {"import",
                                          "Take in another memory",
                                          "PATH is what 'loci export' wrote as JSON, or the folder of a vault. Dates, ids and "
                                          "sources are kept. What is known is left out,\n"
                                          "so a second run adds nothing. What was forgotten here stays forgotten, and is listed.",
                                          import_positionals,
                                          import_options,
                                          run_import};

}  // namespace loci::cli
