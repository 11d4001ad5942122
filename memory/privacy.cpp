#include "memory/privacy.h"

#include <algorithm>

namespace loci {

bool is_private(const NeverSend& never_send, const Entry& entry) {
  return std::ranges::any_of(entry.places,
                             [&](const EntryPlace& place) { return never_send.matches(entry.tags, entry.project, place.file); });
}

Result<bool> Privacy::covers_with_facts(const Entry& entry) {
  if (!has_rules()) return false;
  if (covers(entry)) return true;
  for (const std::string& id : entry.from) {
    const auto fact = memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
    if (!fact) return std::unexpected(fact.error());
    if (!fact->empty() && fact->front().id == id && covers(fact->front())) return true;
  }
  return false;
}

}  // namespace loci
