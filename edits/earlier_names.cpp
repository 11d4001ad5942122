#include "edits/earlier_names.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "edits/act_log.h"
#include "memory/promoted_lines.h"
#include "parser/conflict_lines.h"
#include "parser/core_file.h"
#include "parser/parser.h"

namespace loci {

Result<std::set<std::string>> reworded_in_core(const Vault& vault) {
  std::set<std::string> entries;
  for (const Act& act : TRY(acts_of(vault)))
    if (act.file == core_file_name && act.outcome == "corrected") entries.insert(act.entry);
  return entries;
}

namespace {

// `renamed`: the comment that shall stand in the place of this one; none: it stays.
std::string with_comment(std::string_view file, const std::function<std::optional<Metadata>(const Metadata&)>& renamed) {
  std::string out(file);
  const auto held = lines_in_conflict(file);
  for (const ParsedEntry& entry : parse(file).entries) {
    const auto comment = entry.metadata && !held.contains(entry.line) ? renamed(*entry.metadata) : std::nullopt;
    if (!comment) continue;
    const size_t line_end = std::min(file.find_first_of("\r\n", entry.begin), file.size());
    return out.replace(entry.begin, line_end - entry.begin, format_metadata(*comment));
  }
  return out;
}

Result<std::map<std::string, Metadata>> comments_in(const Vault& vault, const std::string& file, const Version& version) {
  std::map<std::string, Metadata> comments;
  const auto bytes = TRY(bytes_of(vault, file, version));
  for (const ParsedEntry& entry : parse(bytes.value_or(std::string())).entries)
    if (entry.metadata) comments.emplace(entry.id, *entry.metadata);
  return comments;
}

}  // namespace

std::string with_ref(std::string_view file, const std::string& from, const std::string& to) {
  return with_comment(file, [&](const Metadata& comment) -> std::optional<Metadata> {
    if (comment.ref != from) return std::nullopt;
    Metadata renamed = comment;
    renamed.ref = to;
    return renamed;
  });
}

Result<EarlierNames> EarlierNames::between(const Vault& vault, const std::string& file, const Chronicle& logs,
                                           const Version& version, std::span<const SeenEntry> newest,
                                           std::span<const SeenEntry> saved) {
  EarlierNames found;
  const bool is_core = place_of(file) == Place::core;
  std::vector<std::string> earlier;
  for (const SeenEntry& one : saved) {
    const bool gave_way = !logs.twin_of(one.id).empty() || (is_core && !logs.successors_of(one.id).empty());
    if (one.has_metadata && gave_way && !find_seen(newest, one.id)) earlier.push_back(one.id);
  }
  if (earlier.empty()) return found;
  const auto reworded = is_core ? TRY(reworded_in_core(vault)) : std::set<std::string>();
  if (!is_core) found.comments_ = TRY(comments_in(vault, file, version));
  std::set<std::string> twice;
  for (const std::string& name : earlier) {
    const auto names = refs_of_line(logs, reworded, name);
    const std::string& present = names.back();
    if (logs.is_removed(present) || find_seen(saved, present)) continue;
    if (!is_core && !found.comments_.contains(present)) continue;  // it stands in another file
    if (!found.saved_.emplace(present, name).second) twice.insert(present);
    for (const std::string& one : names)
      if (one != present) found.present_.emplace(one, present);
  }
  std::erase_if(found.present_, [&](const auto& one) { return twice.contains(one.second); });
  std::erase_if(found.saved_, [&](const auto& one) { return twice.contains(one.first); });
  return found;
}

void EarlierNames::bring_up_to_date(std::vector<SeenEntry>& entries) const {
  if (empty()) return;
  std::map<std::string, size_t> names;  // how many have it, or will have it
  for (const SeenEntry& entry : entries) {
    const auto present = present_.find(entry.id);
    ++names[present == present_.end() ? entry.id : present->second];
  }
  for (SeenEntry& entry : entries)
    if (const auto present = present_.find(entry.id); present != present_.end() && names[present->second] == 1)
      entry.id = present->second;
}

std::string EarlierNames::in_file(std::string_view file) const {
  std::string out(file);
  if (empty()) return out;
  std::set<std::string> standing;
  if (comments_.empty()) {
    const auto core = read_core(file);
    if (!core) return out;
    for (const CoreLine& line : core->lines) standing.insert(line.ref);
  } else {
    for (const ParsedEntry& entry : parse(file).entries) standing.insert(entry.id);
  }
  for (const auto& [earlier, present] : present_) {
    if (!standing.contains(earlier) || !standing.insert(present).second) continue;
    const auto comment = comments_.find(present);
    const auto renamed = [&](const Metadata& then) { return then.id == earlier ? std::optional(comment->second) : std::nullopt; };
    out = comment == comments_.end() ? with_ref(out, earlier, present) : with_comment(out, renamed);
  }
  return out;
}

void EarlierNames::as_saved(std::vector<Change>& changes) const {
  for (Change& change : changes) {
    if (!change.after) continue;
    if (const auto saved = saved_.find(change.after->id); saved != saved_.end()) change.after->id = saved->second;
  }
}

}  // namespace loci
