#include "memory/shown_entries.h"

#include <algorithm>
#include <set>

#include "indexer/stored_entry.h"
#include "parser/text_hash.h"

namespace loci {

Result<ShownEntry> ShownEntries::of(const CoreLine& line) {
  ShownEntry shown = TRY(by_ref(line.ref));
  if (shown.entry || !is_hash_id(line.ref)) return shown;
  shown.entry = TRY(that_says(line));
  if (!shown.entry) shown.entry = TRY(merged_before(line.ref));
  shown.is_gone = shown.is_gone || knows_all_files_;
  return shown;
}

Result<ShownEntry> ShownEntries::by_ref(const std::string& ref) {
  std::string id = ref;
  for (std::set<std::string> seen; !id.empty() && seen.insert(id).second;) {
    auto entry = TRY(entry_with_id(memory_, id));
    const Fate fate = chronicle_.fate_of(id);
    const bool is_settled_fact = entry && entry->place == Place::archive && fate.kind == Fate::Kind::settled;
    // The logs first: an index that is busy still knows what was corrected just now.
    if (entry && entry->active && !is_settled_fact && !chronicle_.is_removed(id)) return ShownEntry{std::move(entry)};
    std::string next(fate.into);
    if (next.empty() && entry && !entry->active) next = successor_of_facts(*entry);
    if (next.empty()) {
      const bool has_gone = chronicle_.explains_removal(id) || (entry && (entry->active || has_ended(*entry)));
      return ShownEntry{{}, has_gone || (!entry && knows_all_files_ && std::ranges::find(ended_, ref) != ended_.end())};
    }
    id = std::move(next);
  }
  return ShownEntry{{}, chronicle_.explains_removal(ref)};  // a circle of corrections that were taken back: none of them stands
}

// A text is nothing but its words: given a comment, it is the entry that has them now.
Result<std::optional<Entry>> ShownEntries::that_says(const CoreLine& line) {
  const std::string hash = stored_text_hash(line.text), loose = loose_text_hash(line.text);
  auto same = TRY(memory_.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find_text(hash, loose); }));
  const auto standing = std::ranges::find_if(same, [&](const Entry& entry) {
    return entry.active && entry.place == Place::consolidated && !chronicle_.is_removed(entry.id);
  });
  return standing == same.end() ? std::nullopt : std::optional(std::move(*standing));
}

// The entry whose words it was, which stands again and says something else.
Result<std::optional<Entry>> ShownEntries::merged_before(const std::string& text) {
  for (const LedgerEntry* line : chronicle_.lines_of_entry(text)) {
    if (line->into != text) continue;
    auto entry = TRY(entry_with_id(memory_, line->entry));
    if (entry && entry->active && !chronicle_.is_removed(entry->id)) return entry;
  }
  return std::nullopt;
}

// The logs say so; an index that says so alone has not seen yet that it was restored.
bool ShownEntries::has_ended(const Entry& entry) const {
  const Tombstone* own = chronicle_.tombstone_of(entry.id);
  const auto same_text = chronicle_.text_removed_at(entry.hash, loose_text_hash(entry.text));
  return (own && removes(*own)) || (same_text && (!own || *same_text > own->at)) ||
         std::ranges::any_of(entry.from, [&](const std::string& fact) { return chronicle_.is_removed(fact); });
}

// Of an entry that ended with one of the facts that it rests on: what that fact was corrected to.
std::string ShownEntries::successor_of_facts(const Entry& entry) const {
  for (const std::string& fact : entry.from)
    if (const Fate fate = chronicle_.fate_of(fact); fate.kind == Fate::Kind::corrected && !fate.into.empty())
      return std::string(fate.into);
  return {};
}

}  // namespace loci
