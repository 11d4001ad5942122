#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "memory/json_shapes.h"
#include "operations/entries.h"

namespace loci::cli {
namespace {

constexpr auto options =
    joined(recent_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON value a line"}}));

bool only_turns(const EntryFilter& filter) { return filter.kinds == std::vector<EntryKind>{EntryKind::turn}; }

void print_turns(Invocation& invocation, const std::vector<Turn>& turns) {
  Output& out = invocation.out;
  Json list = Json::array();
  for (const Turn& turn : turns) {
    if (invocation.arguments.has("--jsonl")) {
      out.value(turn_to_json(turn));
    } else if (out.json()) {
      list.push_back(turn_to_json(turn));
    } else {
      for (const Entry& entry : turn.entries) print_entry_line(out, entry);
    }
  }
  if (!out.json() || invocation.arguments.has("--jsonl")) return;
  Json value = versioned();
  value.add_unchecked("turns", std::move(list));
  out.value(value);
}

void print_entries(Invocation& invocation, const std::vector<Entry>& entries, size_t limit) {
  Output& out = invocation.out;
  if (invocation.arguments.has("--jsonl")) {
    for (const Entry& entry : entries) out.value(entry_to_json(entry));
  } else if (out.json()) {
    out.value(list_to_json(entries, entries.size() == limit && limit > 0 ? entries.back().id : std::string()));
  } else {
    for (const Entry& entry : entries) print_entry_line(out, entry);
  }
}

Result<int> run(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const EntryFilter filter = filter_from(invocation.arguments, invocation.clock.now());
  const auto limit = TRY(limit_from(invocation.arguments, 20));
  const bool turns = only_turns(filter);
  const size_t entries_wanted = turns ? 2 * limit + 1 : limit;  // a turn is up to two entries, and the last may be cut in two
  auto entries = TRY(memory.ask<std::vector<Entry>>(
      [&](IndexReader& reader) { return reader.recent(filter, entries_wanted, invocation.arguments.text("--before")); }));
  if (!turns) {
    print_entries(invocation, entries, limit);
    return 0;
  }
  auto grouped = turns_of(entries);
  if (grouped.size() > limit) grouped.resize(limit);
  print_turns(invocation, grouped);
  return 0;
}

}  // namespace

constinit const Command recent_command = {
    "recent",
    "Show the newest entries, newest first",
    "With --kind turn what was said, a turn at a time: the user's words and the assistant's answer.",
    {},
    options,
    run};

}  // namespace loci::cli
