#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/values_of.h"
#include "context/used.h"
#include "operations/used.h"

namespace loci::cli {
namespace {

std::string place_of(const GivenEntry& given) {
  return given.file.empty() ? "gone" : printable(given.file) + ":" + std::to_string(given.line);
}

void print(Output& out, const UsedTurn& turn) {
  out.line(out.styled(Style::dim, turn.at) + "  " + printable(turn.session) +
           (turn.turn ? " " + std::to_string(*turn.turn) : std::string()));
  for (const GivenEntry& given : turn.given)
    out.line("  " + out.styled(Style::id, given.id) + "  " + out.styled(Style::place, place_of(given)));
  for (const CutEntry& cut : turn.cut) out.line("  " + out.styled(Style::id, cut.id) + "  left out: " + printable(cut.why));
}

Result<int> run_used(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto values = TRY(values_of(invocation.arguments, used_parameters));
  const auto page = page_of_used(TRY(used(memory, values.text("session"), values.number("turn"))), values);
  Output& out = invocation.out;
  if (out.json()) {
    out.value(used_page_to_json(page));
    return 0;
  }
  if (page.turns.empty()) out.line("nothing was given");
  for (const UsedTurn& turn : page.turns) print(out, turn);
  return 0;
}

}  // namespace

constinit const Command used_command = {
    "used",
    "Show which memories an answer was given",
    "What was given for each message of a conversation, with file and line, and what was left out and why, as far back as\n"
    "recall.retrieval_log_days says. Without --session: of the only conversation of the last hour.",
    {},
    used_parameters,
    run_used};

}  // namespace loci::cli
