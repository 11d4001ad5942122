#include "memory/privacy.h"

#include <algorithm>

#include "memory/vault_logs.h"

namespace loci {

bool is_private(const NeverSend& never_send, const Entry& entry) {
  return std::ranges::any_of(entry.places,
                             [&](const EntryPlace& place) { return never_send.matches(entry.tags, entry.project, place.file); });
}

Result<bool> Privacy::covers_with_origins(const Entry& entry) {
  if (!has_rules()) return false;
  std::set<std::string> seen{entry.id};
  return covers_any(entry, seen);
}

Result<bool> Privacy::covers_any(const Entry& entry, std::set<std::string>& seen) {
  if (covers(entry)) return true;
  const auto origins = TRY(origins_of(entry));
  for (const std::string& id : origins) {
    if (!seen.insert(id).second) continue;
    const auto origin = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (origin.empty() || origin.front().id != id) continue;
    if (const auto covered = covers_any(origin.front(), seen); !covered || *covered) return covered;
  }
  return false;
}

Result<std::vector<std::string>> Privacy::origins_of(const Entry& entry) {
  std::vector<std::string> origins = entry.from;
  if (entry.place != Place::archive) return origins;
  if (!entry.corrects.empty()) origins.push_back(entry.corrects);
  if (!superseded_) {
    const auto logs = TRY(read_logs(memory_.vault()));
    superseded_.emplace();
    for (const Tombstone& tombstone : logs.tombstones)
      if (!tombstone.superseded_by.empty()) (*superseded_)[tombstone.superseded_by].push_back(tombstone.id);
  }
  if (const auto known = superseded_->find(entry.id); known != superseded_->end())
    origins.insert(origins.end(), known->second.begin(), known->second.end());
  return origins;
}

}  // namespace loci
