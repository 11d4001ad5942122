#include "edits/line_refs.h"

#include <algorithm>
#include <set>

#include "edits/act_log.h"
#include "memory/promoted_lines.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/metadata.h"
#include "parser/parser.h"

namespace loci {

Result<std::set<std::string>> reworded_in_core(const Vault& vault) {
  std::set<std::string> entries;
  for (const Act& act : TRY(acts_of(vault)))
    if (act.file == core_file_name && act.outcome == "corrected") entries.insert(act.entry);
  return entries;
}

std::string with_ref(std::string_view file, const std::string& from, const std::string& to) {
  std::string out(file);
  const auto held = lines_in_conflict(file);
  for (const ParsedEntry& entry : parse(file).entries) {
    if (!entry.metadata || entry.metadata->ref != from || held.contains(entry.line)) continue;
    Metadata metadata = *entry.metadata;
    metadata.ref = to;
    const size_t line_end = std::min(file.find_first_of("\r\n", entry.begin), file.size());
    return out.replace(entry.begin, line_end - entry.begin, format_metadata(metadata));
  }
  return out;
}

Result<LineRefs> LineRefs::between(const Vault& vault, const Chronicle& logs, std::span<const SeenEntry> newest,
                                   std::span<const SeenEntry> saved) {
  LineRefs found;
  std::vector<std::string> earlier;
  for (const SeenEntry& line : saved)
    if (line.has_metadata && !find_seen(newest, line.id) && !logs.successors_of(line.id).empty()) earlier.push_back(line.id);
  if (earlier.empty()) return found;
  const auto reworded = TRY(reworded_in_core(vault));
  std::set<std::string> twice;
  for (const std::string& ref : earlier) {
    const auto refs = refs_of_line(logs, reworded, ref);
    const std::string& present = refs.back();
    if (logs.is_removed(present) || find_seen(saved, present)) continue;
    if (!found.saved_.emplace(present, ref).second) twice.insert(present);
    for (const std::string& one : refs)
      if (one != present) found.present_.emplace(one, present);
  }
  std::erase_if(found.present_, [&](const auto& one) { return twice.contains(one.second); });
  std::erase_if(found.saved_, [&](const auto& one) { return twice.contains(one.first); });
  return found;
}

void LineRefs::bring_up_to_date(std::vector<SeenEntry>& lines) const {
  std::map<std::string, size_t> names;  // how many lines have a ref, or will have it
  for (const SeenEntry& line : lines) {
    const auto present = present_.find(line.id);
    ++names[present == present_.end() ? line.id : present->second];
  }
  for (SeenEntry& line : lines)
    if (const auto present = present_.find(line.id); present != present_.end() && names[present->second] == 1)
      line.id = present->second;
}

std::string LineRefs::in_file(std::string_view file) const {
  std::string out(file);
  const auto core = present_.empty() ? std::unexpected(Error{}) : read_core(file);
  if (!core) return out;
  std::set<std::string> standing;
  for (const CoreLine& line : core->lines) standing.insert(line.ref);
  for (const auto& [earlier, present] : present_)
    if (standing.contains(earlier) && standing.insert(present).second) out = with_ref(out, earlier, present);
  return out;
}

void LineRefs::as_saved(std::vector<Change>& changes) const {
  for (Change& change : changes) {
    if (!change.after) continue;
    if (const auto saved = saved_.find(change.after->id); saved != saved_.end()) change.after->id = saved->second;
  }
}

}  // namespace loci
