#include "memory/former_states.h"

#include <algorithm>

#include "memory/memory.h"
#include "parser/parser.h"

namespace loci {

std::vector<FormerState> former_states_in(const Metadata& metadata) {
  std::vector<FormerState> states;
  const auto key = std::ranges::find(metadata.unknown, "history", [](const auto& one) { return one.first; });
  if (key == metadata.unknown.end() || !key->second.as_array()) return states;
  for (const Json& one : *key->second.as_array())
    if (one.as_object() && !one.text_at("text").empty()) states.push_back({one.text_at("day"), one.text_at("text")});
  return states;
}

std::vector<FormerState> former_states_of(const Memory& memory, const Entry& entry) {
  if (entry.place != Place::consolidated || entry.places.empty()) return {};
  const auto bytes = read_file_if_any(memory.vault().files(), memory.vault().file(entry.places.front().file));
  if (!bytes || !*bytes) return {};
  const ParsedFile file = parse(**bytes);
  const auto found = std::ranges::find(file.entries, entry.id, &ParsedEntry::id);
  return found == file.entries.end() || !found->metadata ? std::vector<FormerState>{} : former_states_in(*found->metadata);
}

}  // namespace loci
