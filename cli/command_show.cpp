#include "cli/command.h"
#include "cli/entry_text.h"
#include "memory/history.h"
#include "memory/json_shapes.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec positionals[] = {{"ID", ValueKind::entry_id, true}};

std::string tombstone_text(const Tombstone& tombstone) {
  std::string text =
      time_text(tombstone.at) + "  " + tombstone.id + " " + std::string(name_of(tombstone.reason)) + " by " + tombstone.by;
  if (!tombstone.superseded_by.empty()) text += ", superseded by " + tombstone.superseded_by;
  return one_line(text, 200);
}

std::string settled_text(const LedgerEntry& line) {
  std::string text = time_text(line.at) + "  " + line.fact + " " + std::string(name_of(line.outcome));
  if (!line.entry.empty()) text += " as " + line.entry;
  if (!line.into.empty()) text += " into " + line.into;
  if (!line.why.empty()) text += ": " + line.why;
  return one_line(text, 200);
}

void print_versions(Output& out, std::string_view title, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  out.line("\n" + out.styled(Style::strong, title));
  for (const Entry& entry : entries) print_entry_line(out, entry);
}

void print(Output& out, const EntryHistory& history) {
  print_entry(out, history.entry);
  for (size_t i = 1; i < history.entry.places.size(); ++i)
    out.line("also in " + printable(history.entry.places[i].file) + ":" + std::to_string(history.entry.places[i].line));
  print_versions(out, "replaces", history.older);
  print_versions(out, "replaced by", history.newer);
  print_versions(out, "rests on", history.facts);
  if (!history.tombstones.empty() || !history.settled.empty()) out.line("\n" + out.styled(Style::strong, "what happened"));
  for (const Tombstone& tombstone : history.tombstones) out.line(tombstone_text(tombstone));
  for (const LedgerEntry& line : history.settled) out.line(settled_text(line));
}

Json tombstone_to_json(const Tombstone& tombstone) {
  Json value = Json::object();
  value.add_unchecked("at", format_rfc3339(tombstone.at));
  value.add_unchecked("id", tombstone.id);
  value.add_unchecked("reason", name_of(tombstone.reason));
  value.add_unchecked("by", tombstone.by);
  value.add_unchecked("superseded_by", tombstone.superseded_by.empty() ? Json() : Json(tombstone.superseded_by));
  return value;
}

Json settled_to_json(const LedgerEntry& line) {
  Json value = Json::object();
  value.add_unchecked("at", format_rfc3339(line.at));
  value.add_unchecked("fact", line.fact);
  value.add_unchecked("outcome", name_of(line.outcome));
  value.add_unchecked("entry", line.entry.empty() ? Json() : Json(line.entry));
  value.add_unchecked("into", line.into.empty() ? Json() : Json(line.into));
  return value;
}

Json history_to_json(const EntryHistory& history, const RecallCounts* recalls) {
  Json value = versioned();
  value.add_unchecked("entry", entry_to_json(history.entry, recalls));
  value.add_unchecked("replaces", entries_to_json(history.older, recalls));
  value.add_unchecked("replaced_by", entries_to_json(history.newer, recalls));
  value.add_unchecked("rests_on", entries_to_json(history.facts, recalls));
  Json tombstones = Json::array();
  for (const Tombstone& tombstone : history.tombstones) tombstones.push_back(tombstone_to_json(tombstone));
  value.add_unchecked("tombstones", std::move(tombstones));
  Json settled = Json::array();
  for (const LedgerEntry& line : history.settled) settled.push_back(settled_to_json(line));
  value.add_unchecked("settled", std::move(settled));
  return value;
}

Result<int> run(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto history = TRY(history_of(memory, invocation.arguments.positionals().front()));
  if (invocation.out.json()) {
    const auto counts = read_recall_counts(memory.vault());
    invocation.out.value(history_to_json(history, counts ? &*counts : nullptr));
  } else {
    print(invocation.out, history);
  }
  return 0;
}

}  // namespace

constinit const Command show_command = {"show", "Show an entry whole, with its history and what supersedes it", "", positionals, {},
                                        run};

}  // namespace loci::cli
