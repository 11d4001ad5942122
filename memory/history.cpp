#include "memory/history.h"

#include <algorithm>
#include <set>

#include "memory/removed_entries.h"

namespace loci {
namespace {

// The entry with exactly this id, if the index has one.
std::optional<Entry> exactly(Memory& memory, const std::string& id) {
  if (id.empty()) return std::nullopt;
  auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
  if (!found || found->empty() || found->front().id != id) return std::nullopt;
  return std::move(found->front());
}

// Follows one link from entry to entry; `seen` ends a circle that a damaged vault may hold.
template <typename Link>
std::vector<Entry> follow(Memory& memory, const Entry& start, std::set<std::string>& seen, Link link) {
  std::vector<Entry> chain;
  std::string next = link(start);
  while (seen.insert(next).second) {
    auto entry = exactly(memory, next);
    if (!entry) break;
    next = link(*entry);
    chain.push_back(std::move(*entry));
  }
  return chain;
}

std::set<std::string> ids_of(const EntryHistory& history) {
  std::set<std::string> ids{history.entry.id};
  for (const auto* entries : {&history.older, &history.newer, &history.facts})
    for (const Entry& entry : *entries) ids.insert(entry.id);
  return ids;
}

}  // namespace

Result<EntryHistory> history_of(Memory& memory, const std::string& id_or_prefix) {
  auto logs = TRY(read_logs(memory.vault()));
  auto entry = find_entry(memory, id_or_prefix, true);
  if (!entry && entry.error().code == ErrorCode::not_found) entry = find_removed(memory.vault(), logs, id_or_prefix, entry.error());
  if (!entry) return std::unexpected(entry.error());
  EntryHistory history;
  history.entry = std::move(*entry);
  history.former = former_states_of(memory, history.entry);
  std::set<std::string> seen{history.entry.id};
  history.older = follow(memory, history.entry, seen, [](const Entry& one) { return one.corrects; });
  history.newer = follow(memory, history.entry, seen, [](const Entry& one) { return one.superseded_by; });
  for (const std::string& id : history.entry.from)
    if (auto fact = exactly(memory, id)) history.facts.push_back(std::move(*fact));
  const auto ids = ids_of(history);
  std::ranges::copy_if(logs.tombstones, std::back_inserter(history.tombstones),
                       [&](const Tombstone& tombstone) { return ids.contains(tombstone.id); });
  std::ranges::copy_if(logs.ledger, std::back_inserter(history.settled),
                       [&](const LedgerEntry& line) { return ids.contains(line.fact) || line.entry == history.entry.id; });
  return history;
}

}  // namespace loci
