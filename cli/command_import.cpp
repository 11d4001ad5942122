#include "base/counted.h"
#include "capture/pauses.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "importers/importers.h"
#include "memory/import.h"
#include "memory/json_shapes.h"
#include "memory/private_tag.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec import_positionals[] = {{"PATH", ValueKind::file, false}};
constexpr OptionSpec import_options[] = {
    {"--from", "ORIGIN", ValueKind::origin, "what it comes from (else loci, if there is a PATH)"},
    {"--dry-run", "", ValueKind::none, "say what would be added, and add nothing"},
};

Json number(size_t count) { return Json(static_cast<std::int64_t>(count)); }

Json imported_to_json(const Imported& imported, bool dry_run) {
  Json value = versioned();
  value.add_unchecked("dry_run", dry_run);
  value.add_unchecked("found", number(imported.found));
  value.add_unchecked("known", number(imported.known));
  value.add_unchecked("archived", number(imported.archived));
  value.add_unchecked("consolidated", number(imported.consolidated));
  value.add_unchecked("updated", number(imported.updated));
  Json own = Json::object();
  for (const auto& [file, count] : imported.own) own.add_unchecked(file, number(count));
  value.add_unchecked("own", std::move(own));
  Json no_room = Json::array();
  for (const NoRoom& entry : imported.no_room) {
    Json one = Json::object();
    one.add_unchecked("id", entry.id);
    one.add_unchecked("text", entry.text);
    one.add_unchecked("file", entry.file);
    no_room.push_back(std::move(one));
  }
  value.add_unchecked("no_room", std::move(no_room));
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
    case LeftOut::Why::kept_out:
      return "said in a pause, or with #nomemory";
    case LeftOut::Why::changed:
      return "changed there, and here by you: yours stays";
  }
  return {};
}

void print_imported(Output& out, const Imported& imported, bool dry_run) {
  const size_t left_out = imported.left_out.size();
  std::string own;
  for (const auto& [file, count] : imported.own) own += ", " + std::to_string(count) + " to " + file;
  out.line(counted(imported.found, "entry", "entries") + " found, " + std::to_string(imported.known) + " of them known" +
           (left_out > 0 ? ", " + std::to_string(left_out) + " left out" : "") + "; " + (dry_run ? "would add " : "added ") +
           std::to_string(imported.archived) + " to the archive, " + std::to_string(imported.consolidated) + " to consolidated/" +
           own + (imported.updated > 0 ? ", newer texts of " + std::to_string(imported.updated) : ""));
  for (const NoRoom& entry : imported.no_room)
    out.line("no room in " + entry.file + ", so a fact " + (dry_run ? "it would be" : "of the archive") + ": " +
             out.styled(Style::id, entry.id) + "  " + one_line(entry.text, 100));
  bool purged = false;
  for (const LeftOut& entry : imported.left_out) {
    purged = purged || entry.why == LeftOut::Why::purged;
    out.line("left out " + out.styled(Style::id, entry.id) + "  " + one_line(entry.text, 100) + "  (" + why_left_out(entry) + ")");
  }
  if (purged) out.note("a purge keeps only ids: a purged text that comes under another id is taken in, so look for it");
}

// What comes in as private is so by the rules of this vault alone.
void warn_of_open(Output& out, const Imported& imported) {
  if (imported.open > 0) out.warn(OpenPrivateTag::warning(imported.open));
}

Json taken_to_json(const importers::TakenIn& taken, bool dry_run) {
  Json value = imported_to_json(taken.imported, dry_run);
  value.add_unchecked("facts", number(taken.facts));
  value.add_unchecked("summaries", number(taken.summaries));
  value.add_unchecked("turns", number(taken.turns));
  value.add_unchecked("kept_out", number(taken.kept_out));
  Json skipped = Json::array();
  for (const auto& [why, kind] : taken.skipped) {
    Json one = Json::object();
    one.add_unchecked("why", why);
    one.add_unchecked("count", number(kind.count));
    one.add_unchecked("first", kind.which);
    skipped.push_back(std::move(one));
  }
  value.add_unchecked("skipped", std::move(skipped));
  value.add_unchecked("samples", Json(taken.samples));
  return value;
}

std::string found_in(const importers::TakenIn& taken) {
  return counted(taken.facts, "fact", "facts") + ", " + counted(taken.summaries, "summary", "summaries") + " and " +
         counted(taken.turns, "turn", "turns") + " of conversations";
}

void print_taken(Output& out, const importers::TakenIn& taken, bool dry_run) {
  out.line("found " + found_in(taken));
  if (dry_run)
    for (const std::string& sample : taken.samples) out.line("  for example: " + one_line(sample, 100));
  print_imported(out, taken.imported, dry_run);
  if (taken.kept_out > 0)
    out.line(counted(taken.kept_out, "turn was", "turns were") + " said in a pause or with #nomemory, and left out");
  for (const auto& [why, kind] : taken.skipped)
    out.line("skipped " + std::to_string(kind.count) + ": " + why + " (" + one_line(kind.which, 80) + ")");
}

Result<int> import_from_loci(Invocation& invocation, const path& from, bool dry_run) {
  auto memory = TRY(invocation.open_memory_to_change());
  TRY(importers::check_outside(from, memory.vault().root()));
  const auto entries = TRY(read_loci_export(from, invocation.environment, invocation.files, invocation.clock));
  const auto imported = TRY(import_entries(memory, entries, dry_run, TRY(ids_kept_out(memory.vault(), entries))));
  Output& out = invocation.out;
  out.json() ? out.value(imported_to_json(imported, dry_run)) : print_imported(out, imported, dry_run);
  warn_of_open(out, imported);
  if (!imported.searchable.yes) out.warn("stored, but not searchable yet: " + imported.searchable.reason);
  return 0;
}

importers::ImportSource usual_source(const Invocation& invocation, const path& place) {
  return {.root = place, .files = invocation.files, .home = invocation.environment.home};
}

Result<int> import_from(Invocation& invocation, const importers::Importer& importer, const importers::ImportSource& source,
                        bool dry_run) {
  auto memory = TRY(invocation.open_memory_to_change());
  Output& out = invocation.out;
  const auto taken = TRY(importers::take_in(memory, importer.name, importer.read, source, dry_run, out.progress()));
  out.clear_progress();
  out.json() ? out.value(taken_to_json(taken, dry_run)) : print_taken(out, taken, dry_run);
  warn_of_open(out, taken.imported);
  if (!dry_run && !taken.imported.searchable.yes) out.warn("stored, but not searchable yet: " + taken.imported.searchable.reason);
  return 0;
}

// What there is on this machine, and how much of it is new; nothing is written.
Result<int> list_what_is_here(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory_to_change());
  Output& out = invocation.out;
  Json list = Json::array();
  for (const importers::Importer& importer : importers::all_importers()) {
    const auto place = importers::found_place(importer, invocation.environment);
    if (!place) continue;
    const auto taken =
        importers::take_in(memory, importer.name, importer.read, usual_source(invocation, *place), true, out.progress());
    out.clear_progress();
    if (!taken) {
      if (taken.error().code == ErrorCode::not_found) continue;
      out.warn(std::string(importer.name) + ": " + taken.error().message);
      continue;
    }
    if (taken->imported.found == 0) continue;
    Json one = taken_to_json(*taken, true);
    one.add_unchecked("from", std::string(importer.name));
    one.add_unchecked("path", place->string());
    list.push_back(std::move(one));
    if (!out.json())
      out.line(std::string(importer.name) + "  " + printable(place->string()) + ": " + found_in(*taken) + ", " +
               counted(taken->imported.archived, "entry", "entries") + " of them new; 'loci import --from " +
               std::string(importer.name) + "' takes them in");
  }
  const bool found = !list.as_array()->empty();
  if (out.json()) {
    Json value = versioned();
    value.add_unchecked("found", std::move(list));
    out.value(value);
  } else if (!found) {
    out.line("There is no memory of another program in the usual places; name one: loci import --from ORIGIN PATH");
  }
  return 0;
}

Result<int> run_import(Invocation& invocation) {
  const std::string origin = invocation.arguments.text("--from");
  const auto& words = invocation.arguments.positionals();
  const bool dry_run = invocation.arguments.has("--dry-run");
  if (origin.empty() && words.empty()) return list_what_is_here(invocation);
  const path given = words.empty() ? path() : invocation.environment.working_folder / words.front();
  if (origin.empty() || origin == "loci") {
    if (words.empty()) return fail(ErrorCode::usage, "which file or folder? PATH is missing");
    return import_from_loci(invocation, given, dry_run);
  }
  const importers::Importer* importer = importers::importer_named(origin);
  if (!importer) return fail(ErrorCode::usage, "nobody knows how to read '" + origin + "'");
  if (!words.empty()) return import_from(invocation, *importer, {given, invocation.files}, dry_run);
  if (!importer->usual_place)
    return fail(ErrorCode::usage, "PATH is missing: " + std::string(importer->what), "loci import --from " + origin + " PATH");
  const auto place = importers::found_place(*importer, invocation.environment);
  if (!place)
    return fail(ErrorCode::not_found, "there is nothing of " + origin + " in the usual place",
                "name its folder: loci import --from " + origin + " PATH");
  return import_from(invocation, *importer, usual_source(invocation, *place), dry_run);
}

}  // namespace

constinit const Command import_command = {
    "import",
    "Take in another memory",
    "Alone it lists what it finds of other programs on this machine. --from names what to take in, and PATH where it lies, if\n"
    "not in the usual place: claude-code, claude-transcripts, codex, openclaw, letta, hermes; a folder for basic-memory and\n"
    "memsearch; a JSON or zip file for mem0, chatgpt and claude-ai. Without --from, PATH is what 'loci export' wrote, or the\n"
    "folder of a vault. Dates and ids are kept. What is known is left out, so a second run adds only what is new. What\n"
    "was forgotten here stays forgotten, and is listed; what was said in a pause or with #nomemory stays out.",
    import_positionals,
    import_options,
    run_import};

}  // namespace loci::cli
