#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "memory/json_shapes.h"
#include "operations/entries.h"
#include "operations/turn_page.h"

namespace loci::cli {
namespace {

constexpr auto recent_options =
    joined(recent_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON value a line"}}));

bool only_turns(const EntryFilter& filter) { return filter.kinds == std::vector<EntryKind>{EntryKind::turn}; }

void print_turns(Invocation& invocation, const TurnPage& page) {
  Output& out = invocation.out;
  const bool lines = invocation.arguments.has("--jsonl");
  if (out.json() && !lines) return out.value(turns_to_json(page.turns, page.next));
  for (const Turn& turn : page.turns) {
    if (lines) out.value(turn_to_json(turn));
    for (const Entry& entry : turn.entries)
      if (!lines) print_entry_line(out, invocation.clock, entry);
  }
}

void print_entries(Invocation& invocation, const std::vector<Entry>& entries, size_t limit) {
  Output& out = invocation.out;
  if (invocation.arguments.has("--jsonl")) {
    for (const Entry& entry : entries) out.value(entry_to_json(entry));
  } else if (out.json()) {
    out.value(list_to_json(entries, entries.size() == limit && limit > 0 ? entries.back().id : std::string()));
  } else {
    for (const Entry& entry : entries) print_entry_line(out, invocation.clock, entry);
  }
}

Result<int> run_recent(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const EntryFilter filter = filter_from(invocation.arguments, invocation.clock.now());
  const auto limit = TRY(limit_from(invocation.arguments, 20));
  const std::string before = invocation.arguments.text("--before");
  if (only_turns(filter)) {
    Visible visible(memory, Actor::person);
    print_turns(invocation, TRY(page_of_turns(memory, visible, filter, limit, before)));
    return 0;
  }
  const auto entries =
      TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.recent(filter, limit, before); }));
  print_entries(invocation, entries, limit);
  return 0;
}

}  // namespace

constinit const Command recent_command = {
    "recent",
    "Show the newest entries, newest first",
    "With --kind turn what was said, a turn at a time: the user's words and the assistant's answer.",
    {},
    recent_options,
    run_recent};

}  // namespace loci::cli
