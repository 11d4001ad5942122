#include "edits/known_but_hidden.h"

#include <algorithm>
#include <map>

namespace loci {

Result<std::vector<Absence>> known_but_hidden(EditContext& context, const std::string& file, const PresentFile& now,
                                              const std::vector<Version>& versions) {
  std::vector<Absence> hidden;
  if (now.seen.hidden.empty()) return hidden;
  const Place place = place_of(file);
  std::map<std::string, SeenFile> seen_by_version;
  const auto seen_then = [&](const std::string& version) -> Result<const SeenFile*> {
    const auto [seen, is_new] = seen_by_version.try_emplace(version);
    if (!is_new) return &seen->second;
    const auto bytes = TRY(bytes_of(context.vault, file, Version{Version::Kind::understood, version, 0, {}}));
    if (bytes) seen->second = see_file(place, *bytes);
    return &seen->second;
  };
  const SeenFile none;
  const SeenFile& then = versions.empty() ? none : *TRY(seen_then(versions.back().hash));
  const Chronicle& logs = *TRY(context.evidence.logs());
  const FileRecord& record = context.state.record(file);
  std::vector<Absence> waiting = record.absent;
  if (record.question) std::ranges::copy(record.question->gone, std::back_inserter(waiting));
  for (const HiddenEntry& one : now.seen.hidden) {
    const bool has_ended = place == Place::core ? logs.explains_line_removal(one.id) : logs.explains_removal(one.id);
    if (has_ended || (place != Place::core && context.other_places().name(one.id))) continue;
    const SeenEntry* stood = find_seen(then.entries, one.id);
    const auto known = std::ranges::find(waiting, one.id, &Absence::id);
    const auto line = logs.promoted().find(one.id);
    const auto settled = logs.lines_of_entry(one.id);
    if (known != waiting.end()) {
      if (find_hidden(now.seen, TRY(seen_then(known->version))->sections, one.id)) hidden.push_back(*known);
    } else if (stood) {
      if (find_hidden(now.seen, then.sections, one.id))
        hidden.push_back({one.id, stood->hash, stood->from, context.now, versions.back().hash});
    } else if (place == Place::core && line != logs.promoted().end()) {
      hidden.push_back({one.id, std::string(line->second.line_hash), {}, context.now, {}});
    } else if (place != Place::core && !settled.empty()) {
      hidden.push_back({one.id, settled.back()->entry_hash, {}, context.now, {}});
    }
  }
  return hidden;
}

}  // namespace loci
