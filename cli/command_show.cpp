#include <ranges>

#include "cli/command.h"
#include "cli/entry_text.h"
#include "memory/history_shapes.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec show_positionals[] = {{"ID", ValueKind::entry_id, true}};

std::string tombstone_text(const Clock& clock, const Tombstone& tombstone) {
  std::string text =
      time_text(clock, tombstone.at) + "  " + tombstone.id + " " + std::string(name_of(tombstone.reason)) + " by " + tombstone.by;
  if (!tombstone.superseded_by.empty()) text += ", superseded by " + tombstone.superseded_by;
  return one_line(text, 200);
}

std::string settled_text(const Clock& clock, const LedgerEntry& line) {
  std::string text = time_text(clock, line.at) + "  " + line.fact + " " + std::string(name_of(line.outcome));
  if (!line.entry.empty()) text += " as " + line.entry;
  if (!line.into.empty()) text += " into " + line.into;
  if (!line.why.empty()) text += ": " + line.why;
  return one_line(text, 200);
}

void print_versions(Output& out, const Clock& clock, std::string_view title, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  out.line("\n" + out.styled(Style::strong, title));
  for (const Entry& entry : entries) print_entry_line(out, clock, entry);
}

void print(Output& out, const Clock& clock, const EntryHistory& history) {
  print_entry(out, clock, history.entry);
  const size_t shown = std::min(history.entry.places.size(), most_places_shown);
  for (size_t i = 1; i < shown; ++i)
    out.line("also in " + printable(history.entry.places[i].file) + ":" + std::to_string(history.entry.places[i].line));
  if (const size_t more = history.entry.places.size() - shown; more > 0)
    out.line("and in " + std::to_string(more) + " other places");
  print_versions(out, clock, "replaces", history.older);
  print_versions(out, clock, "replaced by", history.newer);
  if (!history.former.empty()) out.line("\n" + out.styled(Style::strong, "said before"));
  for (const FormerState& state : history.former | std::views::reverse)
    out.line(printable(state.day) + "  " + one_line(state.text, 400));
  print_versions(out, clock, "rests on", history.facts);
  if (!history.tombstones.empty() || !history.settled.empty()) out.line("\n" + out.styled(Style::strong, "what happened"));
  for (const Tombstone& tombstone : history.tombstones) out.line(tombstone_text(clock, tombstone));
  for (const LedgerEntry& line : history.settled) out.line(settled_text(clock, line));
}

Result<int> run_show(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto history = TRY(history_of(memory, invocation.arguments.positionals().front()));
  if (invocation.out.json()) {
    const auto counts = read_recall_counts(memory.vault());
    invocation.out.value(history_to_json(history, counts ? &*counts : nullptr));
  } else {
    print(invocation.out, invocation.clock, history);
  }
  return 0;
}

}  // namespace

constinit const Command show_command = {
    "show", "Show an entry whole, with its history and what supersedes it", "", show_positionals, {}, run_show};

}  // namespace loci::cli
