#include <algorithm>
#include <tuple>

#include "consolidate/decide/history.h"
#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/store.h"
#include "edits/other_places.h"
#include "edits/understand.h"
#include "parser/parser.h"

namespace loci {

Status offer_again(Memory& memory, Material& material, bool force) {
  const auto is_asked_about = [&](const Fact& fact) { return !fact.is_private && (force || !fact.quarantined); };
  if (std::ranges::none_of(material.facts, is_asked_about)) return {};
  for (size_t i = 0; i < material.entries.size(); ++i) {
    DurableEntry& entry = material.entries[i];
    const bool is_wanted = entry.state.as_it_was_said == AsSaid::to_be_offered && entry.writable && !entry.is_private;
    if (!is_wanted || entry.from.size() != 1) continue;
    if (std::ranges::find(material.facts, entry.from.front(), &Fact::id) != material.facts.end()) continue;
    auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(entry.from.front(), 1); }));
    if (found.empty() || found.front().id != entry.from.front() || !found.front().active || found.front().hash != entry.hash)
      continue;
    if (found.front().place != Place::archive) continue;
    Fact fact = fact_of(std::move(found.front()));
    fact.stands_in = i;
    entry.is_offered_as_fact = true;
    material.facts.push_back(std::move(fact));
  }
  std::ranges::sort(material.facts, [](const Fact& a, const Fact& b) { return std::tie(a.at, a.id) < std::tie(b.at, b.id); });
  return {};
}

Result<std::int64_t> count_as_said(const Vault& vault) {
  std::int64_t count = 0;
  for (const std::string& file : watched_files(vault)) {
    if (place_of(file) != Place::consolidated) continue;
    const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
    if (!bytes || !bytes->contains("\"asis\":")) continue;
    for (const ParsedEntry& entry : parse(*bytes).entries)
      count += entry.metadata && state_in(*entry.metadata).as_it_was_said != AsSaid::no;
  }
  return count;
}

}  // namespace loci
