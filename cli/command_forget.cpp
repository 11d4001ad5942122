#include "cli/command.h"
#include "cli/confirm.h"
#include "cli/entry_text.h"
#include "daemon/stores.h"
#include "edits/take_back.h"
#include "edits/understand.h"
#include "memory/change_shapes.h"
#include "memory/forget.h"
#include "memory/json_shapes.h"
#include "memory/purge.h"
#include "memory/restore.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec forget_positionals[] = {{"ID", ValueKind::entry_id, true, true}};
constexpr auto forget_options =
    joined(forget_parameters, std::to_array<OptionSpec>({
                                  {"--purge", "", ValueKind::none, "blank the text in every file, the archive's too: for secrets"},
                                  {"--yes", "", ValueKind::none, "purge without asking"},
                              }));
constexpr PositionalSpec restore_positionals[] = {{"ID", ValueKind::ended_id, true}};

void print_notes(Output& out, const std::vector<std::string>& notes, const Searchable& searchable) {
  for (const std::string& note : notes) out.note(note);
  if (!searchable.yes) out.warn("done, but the index does not know it yet: " + searchable.reason);
}

void print_forgotten(Output& out, const Clock& clock, const Forgotten& forgotten) {
  for (const Entry& entry : forgotten.entries)
    out.line("forgot " + out.styled(Style::id, entry.id) + "  " + one_line(entry.text, 100));
  if (forgotten.still_say.empty()) return;
  out.line("\nthis still says it (--everywhere forgets it too):");
  for (const Entry& entry : forgotten.still_say) print_entry_line(out, clock, entry);
}

void print_purged(Output& out, const Purged& purged) {
  for (const std::string& id : purged.ids) out.line("purged " + out.styled(Style::id, id));
  for (const std::string& file : purged.files) out.line("changed " + out.styled(Style::place, printable(file)));
  for (const std::string& file : purged.state_files) out.line("changed " + out.styled(Style::place, printable(file)));
  for (const std::string& file : purged.still_in) out.line("its words still stand in " + out.styled(Style::place, printable(file)));
}

Result<int> run_purge(Invocation& invocation, Memory& memory) {
  const PurgeOptions options{invocation.arguments.has("--everywhere")};
  auto targets = TRY(entries_to_purge(memory, invocation.arguments.positionals(), options));
  Output& out = invocation.out;
  if (!invocation.arguments.has("--yes")) {
    std::string question = "This blanks for ever, in every file of the vault:\n";
    for (const Entry& entry : targets) question += "  " + entry.id + "  " + one_line(entry.text, 100) + "\n";
    auto agreed = TRY(confirm(out, question + "Purge?"));
    if (!agreed) return fail(ErrorCode::refused, "nothing was purged");
  }
  const auto purged = purge(memory, targets, all_stores(), out.progress());
  out.clear_progress();
  if (!purged) return std::unexpected(purged.error());
  out.json() ? out.value(purged_to_json(*purged)) : print_purged(out, *purged);
  for (const std::string& note : purged->notes) out.note(note);
  if (!purged->complete) out.warn("the purge is not finished: give the same command again when that is mended");
  out.note("git history, backups and other machines' copies may still hold it: rewrite or remove those yourself");
  return purged->complete ? 0 : 1;
}

Result<int> run_forget(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory_to_change());
  if (invocation.arguments.has("--purge")) return run_purge(invocation, memory);
  const ForgetOptions options{invocation.arguments.has("--everywhere"), Actor::person};
  std::vector<std::string> ids;
  for (const std::string& id : invocation.arguments.positionals()) ids.push_back(TRY(id_after_edits(memory.vault(), id)));
  const auto forgotten = TRY(forget(memory, ids, options));
  Output& out = invocation.out;
  out.json() ? out.value(forgotten_to_json(forgotten)) : print_forgotten(out, invocation.clock, forgotten);
  print_notes(out, forgotten.notes, forgotten.searchable);
  return forgotten.searchable.yes ? 0 : static_cast<int>(ErrorCode::locked);
}

// What became of an edit by hand.
Result<int> run_take_back(Output& out, Memory& memory, const std::string& act) {
  const auto back = TRY(take_back(memory, act));
  if (out.json()) {
    out.value(restored_to_json({{back.act.id}, {}, back.files, {}, {}}));
  } else {
    out.line("took back " + out.styled(Style::id, back.act.id));
    for (const std::string& file : back.files) out.line("changed " + out.styled(Style::place, printable(file)));
  }
  return 0;
}

Result<int> run_restore(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory_to_change());
  Output& out = invocation.out;
  const std::string& wanted = invocation.arguments.positionals().front();
  if (wanted.starts_with("u-")) return run_take_back(out, memory, wanted);
  const auto restored = TRY(restore(memory, wanted));
  if (out.json()) {
    out.value(restored_to_json(restored));
  } else {
    for (const std::string& id : restored.ids) out.line("restored " + out.styled(Style::id, id));
    for (const std::string& id : restored.gave_way) out.line("took out " + out.styled(Style::id, id));
  }
  print_notes(out, restored.notes, restored.searchable);
  return restored.searchable.yes ? 0 : static_cast<int>(ErrorCode::locked);
}

}  // namespace

constinit const Command forget_command = {
    "forget",
    "Forget entries",
    "A forgotten entry is never found again, wherever its text stands; the archive keeps its bytes. What else still says it is\n"
    "listed. --purge is for secrets: it blanks the text itself, and asks first.",
    forget_positionals,
    forget_options,
    run_forget};
constinit const Command restore_command = {"restore",  "Take back a forget or a correction", "", restore_positionals, {},
                                           run_restore};

}  // namespace loci::cli
