#include "consolidate/promote/lines_that_stand.h"

#include <map>
#include <set>
#include <string_view>

#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/still_stands.h"
#include "edits/in_question.h"
#include "indexer/stored_entry.h"

namespace loci {

Result<std::vector<PromotedLine>> lines_that_still_stand(Memory& memory, std::vector<PromotedLine> lines,
                                                         const std::vector<DurableEntry>& chosen_from) {
  TRY(look_again(memory));
  const auto now = TRY(consolidated_entries(memory));
  std::map<std::string_view, std::string_view> then;
  for (const DurableEntry& entry : chosen_from) then.emplace(entry.id, entry.hash);
  std::set<std::string_view> same;
  for (const Entry& entry : now)
    if (const auto known = then.find(entry.id); entry.active && known != then.end() && known->second == entry.hash)
      same.insert(entry.id);
  std::erase_if(lines, [&](const PromotedLine& line) { return !same.contains(line.ref); });
  return lines;
}

Result<std::set<std::string>> lines_to_leave(Memory& memory, const std::vector<std::string>& shown) {
  std::set<std::string> refs = TRY(entries_in_question(memory));
  for (const std::string& ref : shown) {
    if (!is_hash_id(ref)) continue;
    const auto text = TRY(entry_with_id(memory, ref));
    if (text && text->active && text->place != Place::core) refs.insert(ref);
  }
  return refs;
}

}  // namespace loci
