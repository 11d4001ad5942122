#include <algorithm>
#include <limits>

#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "memory/json_shapes.h"
#include "operations/entries.h"

namespace loci::cli {
namespace {

constexpr auto list_options =
    joined(list_parameters, std::to_array<OptionSpec>({{"--jsonl", "", ValueKind::none, "print one JSON entry a line"}}));

constexpr size_t page = 1000;

struct Listed {
  std::vector<Entry> entries;
  std::string next;
};

// One more than wanted is asked for, to know whether there is a next page.
Result<Listed> next_page(Memory& memory, const EntryFilter& filter, size_t limit, const std::string& after) {
  auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, limit + 1, after); }));
  Listed listed{std::move(entries), {}};
  if (listed.entries.size() > limit) {
    listed.entries.resize(limit);
    if (!listed.entries.empty()) listed.next = listed.entries.back().id;
  }
  return listed;
}

void print(Invocation& invocation, const std::vector<Entry>& entries, const RecallCounts* recalls) {
  for (const Entry& entry : entries) {
    if (invocation.arguments.has("--jsonl"))
      invocation.out.value(entry_to_json(entry, recalls));
    else
      print_entry_line(invocation.out, invocation.clock, entry);
  }
}

// Without a limit everything is listed, a page at a time; a JSON value is one page or, with a limit, that many.
Result<int> run_list(Invocation& invocation) {
  Freshness freshness;
  auto memory = TRY(invocation.open_fresh_memory(freshness));
  const auto counts = read_recall_counts(memory.vault());
  const RecallCounts* recalls = counts ? &*counts : nullptr;
  EntryFilter filter = filter_from(invocation.arguments, invocation.clock.now());
  filter.file = invocation.arguments.text("--file");
  filter.inactive = invocation.arguments.has("--inactive");
  const bool limited = invocation.arguments.has("--limit");
  size_t left = TRY(limit_from(invocation.arguments, std::numeric_limits<size_t>::max()));
  std::string after = invocation.arguments.text("--after");
  const bool one_value = invocation.out.json() && !invocation.arguments.has("--jsonl");
  while (true) {
    const auto listed = TRY(next_page(memory, filter, one_value && limited ? left : std::min(left, page), after));
    if (one_value) {
      invocation.out.value(list_to_json(listed.entries, listed.next, recalls));
      return 0;
    }
    print(invocation, listed.entries, recalls);
    left -= listed.entries.size();
    after = listed.next;
    if (after.empty() || left == 0 || !invocation.out.flush()) return 0;
  }
}

}  // namespace

constinit const Command list_command = {"list",
                                        "List entries by file and line",
                                        "As one JSON value: a page of at most 1000, and in \"next\" what --after takes to go on.",
                                        {},
                                        list_options,
                                        run_list};

}  // namespace loci::cli
