#include "edits/save_policy.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "indexer/stored_entry.h"

namespace loci {
namespace {

using ById = std::map<std::string_view, const SeenEntry*>;

ById by_id(const std::vector<SeenEntry>& entries) {
  ById found;
  for (const SeenEntry& entry : entries) found.emplace(entry.id, &entry);
  return found;
}

// An editor that saves a buffer from before the last run takes out all that the run wrote; a person leaves some of it.
bool undoes_last_run(const ById& before, const ById& after, const std::set<std::string>& last_run) {
  bool wrote_any = false;
  for (const std::string& id : last_run) {
    const auto then = before.find(id);
    if (then == before.end()) continue;
    wrote_any = true;
    const auto now = after.find(id);
    if (now != after.end() && now->second->hash == then->second->hash) return false;
  }
  return wrote_any;
}

}  // namespace

SaveVerdict judge_save(const std::vector<SeenEntry>& before, const std::vector<SeenEntry>& after, const SaveEvidence& evidence) {
  const ById then = by_id(before), now = by_id(after);
  SaveVerdict verdict;
  verdict.entries = then.size();
  for (const auto& [id, entry] : then) {
    if (evidence.explained.contains(std::string(id))) continue;
    const auto found = now.find(id);
    if (found == now.end()) {
      if (evidence.by_git) continue;
      ++verdict.touched;
      if (entry->has_metadata) verdict.removed.emplace_back(id);
      continue;
    }
    if (found->second->hash == entry->hash) continue;
    const bool gains_trust = found->second->edited && !entry->edited;
    if (evidence.by_git && !gains_trust) continue;
    ++verdict.touched;
    verdict.changed.emplace_back(id);
    if (gains_trust) verdict.held.emplace_back(id);
  }
  verdict.ask = is_wholesale(verdict.touched, verdict.entries) || (evidence.file_is_gone && verdict.touched > 0);
  if (!verdict.ask && undoes_last_run(then, now, evidence.last_run)) verdict.removed.clear();
  return verdict;
}

PendingVerdict judge_pending(const PendingEvidence& evidence, std::chrono::milliseconds settles) {
  if (evidence.taken_back || evidence.explained || evidence.elsewhere || evidence.by_git) return PendingVerdict::dismiss;
  if (evidence.undecided_file || evidence.wall < settles || evidence.steady < settles) return PendingVerdict::wait;
  return PendingVerdict::settle;
}

}  // namespace loci
