#include "cli/command.h"
#include "cli/editor.h"
#include "cli/entry_text.h"
#include "cli/standard_input.h"
#include "edits/understand.h"
#include "memory/change_shapes.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"
#include "vault/archive/append.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec correct_positionals[] = {{"ID", ValueKind::entry_id, true}, {"TEXT", ValueKind::text, true, true}};
constexpr PositionalSpec edit_positionals[] = {{"ID", ValueKind::entry_id, true}};
Result<std::string> text_or_standard_input(std::string text) {
  if (text != "-") return text;
  return read_standard_input(max_entry_bytes);
}

int print_corrected(Output& out, const Corrected& corrected) {
  if (out.json()) {
    out.value(corrected_to_json(corrected));
  } else {
    const std::string line = corrected.line > 0 ? ":" + std::to_string(corrected.line) : std::string();
    out.line(out.terminal()
                 ? out.styled(Style::id, corrected.id) + "  " + out.styled(Style::place, printable(corrected.file) + line)
                 : corrected.id);
  }
  for (const std::string& note : corrected.notes) out.note(note);
  if (corrected.searchable.yes) return 0;
  out.warn("done, but the index does not know it yet: " + corrected.searchable.reason);
  return static_cast<int>(ErrorCode::locked);
}

Result<int> run_correct(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory_to_change());
  const auto text = TRY(text_or_standard_input(invocation.arguments.joined(1)));
  const auto corrected =
      TRY(correct(memory, TRY(id_after_edits(memory.vault(), invocation.arguments.positionals().front())), text));
  return print_corrected(invocation.out, corrected);
}

// The person edits the file itself; the index looks at it afterwards.
Result<int> edit_in_editor(Invocation& invocation, Memory& memory) {
  const auto entry = TRY(find_entry_to_change(memory, invocation.arguments.positionals().front()));
  const EntryPlace& place = entry.places.front();
  invocation.out.flush();
  if (auto opened = open_editor(invocation.environment.editor, memory.vault().file(place.file), place.line); !opened)
    return std::unexpected(opened.error());
  TRY(understand_first(memory));
  const auto freshness = TRY(memory.bring_up_to_date());
  if (!freshness.fresh()) invocation.out.warn("saved, but the index does not know it yet: " + freshness.reason);
  return 0;
}

Result<int> run_edit(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory_to_change());
  const Arguments& arguments = invocation.arguments;
  Edit change;
  if (arguments.has("--text")) {
    auto text = TRY(text_or_standard_input(arguments.text("--text")));
    change.text = std::move(text);
  }
  if (arguments.has("--tag")) change.tags = arguments.all("--tag");
  if (!change.text && !change.tags) return edit_in_editor(invocation, memory);
  const auto edited = TRY(edit(memory, TRY(id_after_edits(memory.vault(), arguments.positionals().front())), change));
  return print_corrected(invocation.out, edited);
}

}  // namespace

constinit const Command correct_command = {
    "correct",
    "Replace a wrong entry by the right text",
    "The right text is stored with the highest trust, the wrong one is never found again, and its consolidated entry is rewritten\n"
    "at once. TEXT - reads it from standard input.",
    correct_positionals,
    {},
    run_correct};
constinit const Command edit_command = {"edit",
                                        "Change an entry's text or tags, or open it in your editor",
                                        "Without an option $VISUAL or $EDITOR opens the file at the entry's line. The archive only "
                                        "grows: there --text and --tag store a\n"
                                        "new version with a new id. Notes are yours: edit them in your editor.",
                                        edit_positionals,
                                        edit_parameters,
                                        run_edit};

}  // namespace loci::cli
