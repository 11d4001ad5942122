#include "operations/visible.h"

#include "memory/choose_entry.h"
#include "memory/forget.h"

namespace loci {

Status Visible::keep_seen(std::vector<Entry>& entries) {
  if (sees_all_) return {};
  std::vector<Entry> seen;
  for (Entry& entry : entries)
    if (TRY(sees(entry))) seen.push_back(std::move(entry));
  entries = std::move(seen);
  return {};
}

Result<std::string> Visible::seen_part(std::string_view bytes, const std::string& file) {
  return sees_all_ ? Result<std::string>(std::string(bytes)) : sendable_.sendable_part(bytes, file);
}

Result<Entry> Visible::find(const std::string& id_or_prefix, bool inactive) {
  if (sees_all_) return find_entry(memory_, id_or_prefix, inactive);
  constexpr size_t most_candidates = 1'000;
  auto found =
      TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id_or_prefix, most_candidates); }));
  TRY(keep_seen(found));
  return choose_entry(std::move(found), id_or_prefix, inactive);
}

Result<Entry> Visible::find_to_change(const std::string& id_or_prefix, bool inactive) {
  auto entry = find_entry_to_change(memory_, id_or_prefix, inactive);
  return sees_all_ ? std::move(entry) : find(id_or_prefix, inactive);
}

}  // namespace loci
