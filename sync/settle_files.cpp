#include "sync/settle_files.h"

#include <algorithm>
#include <memory>

#include "base/hash.h"
#include "sync/merge_notes.h"
#include "vault/layout/layout.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

// "a/b.toml" -> "a/b.sync-conflict-1a2b3c4d.toml": the name by the content, so that every machine gives it the same.
std::string name_beside(const std::string& file, std::string_view object) {
  const size_t name = file.rfind('/') + 1, dot = file.rfind('.');
  const size_t at = dot == std::string::npos || dot <= name ? file.size() : dot;
  return file.substr(0, at) + ".sync-conflict-" + std::string(object.substr(0, 8)) + file.substr(at);
}

class Settling {
 public:
  Settling(const GitExchange& git, const std::string& tree, const MergeKnowledge& knowledge)
      : git_(git), tree_(tree), knowledge_(knowledge) {}

  Status settle(const std::string& file, const GitTreeMerge::Conflict& conflict) {
    if (!conflict.ours && !conflict.theirs) return {};
    const MergeWay way = merge_way_of(file);
    if (way == MergeWay::entries || way == MergeWay::lines) return settle_by_pieces(file, conflict, way);
    if (!conflict.ours || !conflict.theirs) return {};  // deleted here, changed there: git has left the changed one
    if (way == MergeWay::text && is_text(TRY(git_.bytes_of(*conflict.ours))) && is_text(TRY(git_.bytes_of(*conflict.theirs))))
      return settle_text(file, conflict);
    return settle_apart(file, *conflict.ours, *conflict.theirs);
  }

  SettledFiles take() { return std::move(settled_); }

 private:
  static bool is_text(std::string_view bytes) { return bytes.find('\0') == std::string_view::npos; }

  Result<std::string> bytes_of(const std::optional<GitFile>& file) const {
    return file ? git_.bytes_of(*file) : Result<std::string>(std::string());
  }

  // Git has put its markers around what differs; where some stood before, or in code, nobody could tell them apart.
  Status settle_text(const std::string& file, const GitTreeMerge::Conflict& conflict) {
    const auto merged = TRY(git_.file_at(tree_, file));
    const std::string base = TRY(bytes_of(conflict.base)), ours = TRY(bytes_of(conflict.ours)),
                      theirs = TRY(bytes_of(conflict.theirs));
    if (merged && can_be_resolved(TRY(git_.bytes_of(*merged)))) return settled_.conflicts.push_back(file), Status();
    MergedFile texts = merge_texts({base, ours, theirs});
    if (!can_be_resolved(texts.bytes)) return settle_apart(file, *conflict.ours, *conflict.theirs);
    if (texts.conflicts > 0) settled_.conflicts.push_back(file);
    settled_.edits.push_back({file, conflict.ours->mode, std::move(texts.bytes)});
    return {};
  }

  Status settle_by_pieces(const std::string& file, const GitTreeMerge::Conflict& conflict, MergeWay way) {
    const std::string base = TRY(bytes_of(conflict.base)), ours = TRY(bytes_of(conflict.ours)),
                      theirs = TRY(bytes_of(conflict.theirs));
    if (!is_text(ours) || !is_text(theirs))
      return conflict.ours && conflict.theirs ? settle_apart(file, *conflict.ours, *conflict.theirs) : Status();
    const ThreeVersions versions{base, ours, theirs};
    MergedFile merged = way == MergeWay::lines ? merge_lines(versions) : merge_entry_files(versions, knowledge_);
    if (merged.conflicts > 0) settled_.conflicts.push_back(file);
    const bool is_gone = merged.bytes.find_first_not_of(" \t\r\n") == std::string::npos && !(conflict.ours && conflict.theirs);
    const std::string mode = conflict.ours ? conflict.ours->mode : conflict.theirs->mode;
    settled_.edits.push_back({file, mode, is_gone ? std::nullopt : std::optional(std::move(merged.bytes))});
    return {};
  }

  Status settle_apart(const std::string& file, const GitFile& ours, const GitFile& theirs) {
    const GitFile &stays = ours.object < theirs.object ? ours : theirs, &beside = ours.object < theirs.object ? theirs : ours;
    settled_.edits.push_back({file, stays.mode, TRY(git_.bytes_of(stays))});
    settled_.edits.push_back({name_beside(file, beside.object), beside.mode, TRY(git_.bytes_of(beside))});
    settled_.conflicts.push_back(file);
    return {};
  }

  const GitExchange& git_;
  const std::string& tree_;  // as git merged it
  const MergeKnowledge& knowledge_;
  SettledFiles settled_;
};

// A pointer to a chronicle, which the answers keep.
template <typename Logs>
MergeKnowledge knowledge_from(Logs logs) {
  return {.is_removed = [logs](std::string_view id) { return logs->is_removed(id); },
          .promoted = [logs](std::string_view ref, std::string_view hash) { return logs->ever_promoted(ref, hash); },
          .only_followed = [logs](std::string_view ref, std::string_view hash) { return logs->only_followed(ref, hash); },
          .says_standing_fact = [logs](const Metadata& entry,
                                       std::string_view hash) { return logs->says_standing_fact(entry.id, hash, entry.from); }};
}

}  // namespace

MergeWay merge_way_of(std::string_view relative_path) {
  if (relative_path.starts_with(".loci/")) return relative_path.ends_with(".jsonl") ? MergeWay::lines : MergeWay::apart;
  if (!relative_path.ends_with(".md")) return MergeWay::apart;
  return place_of(relative_path) == Place::note ? MergeWay::text : MergeWay::entries;
}

Result<SettledFiles> settle_files(const GitExchange& git, const GitTreeMerge& merge, const MergeKnowledge& knowledge) {
  Settling settling(git, merge.tree, knowledge);
  for (const auto& [file, conflict] : merge.conflicts) TRY(settling.settle(file, conflict));
  return settling.take();
}

MergeKnowledge knowledge_of(const Chronicle& logs) { return knowledge_from(&logs); }

KnowledgeOfCommits::KnowledgeOfCommits(const GitExchange& git, std::string ours, std::string theirs)
    : git_(git), ours_(std::move(ours)), theirs_(std::move(theirs)) {}

Result<MergeKnowledge> KnowledgeOfCommits::read() const {
  std::vector<HostLog::File> tombstones, ledgers;
  for (const auto& [folder, logs] : {std::pair{".loci/tombstones", &tombstones}, {".loci/ledger", &ledgers}}) {
    const auto ours = TRY(git_.files_in(ours_, folder));
    auto theirs = TRY(git_.files_in(theirs_, folder));
    for (const auto& [path, file] : ours) {
      const auto other = theirs.extract(path);
      std::string bytes = TRY(git_.bytes_of(file));
      if (other && other.mapped().object != file.object) bytes = merge_lines({{}, bytes, TRY(git_.bytes_of(other.mapped()))}).bytes;
      logs->push_back({path, std::move(bytes)});
    }
    for (const auto& [path, file] : theirs) logs->push_back({path, TRY(git_.bytes_of(file))});
  }
  const auto logs = std::make_shared<const Chronicle>(vault_logs_of(tombstones, ledgers));
  return knowledge_from(logs);
}

}  // namespace loci
