#include "edits/new_ends.h"

namespace loci {
namespace {

std::string name_of(const Tombstone& one) {
  return one.id + ' ' + format_rfc3339(one.at) + ' ' + std::to_string(static_cast<int>(one.reason)) + ' ' + one.superseded_by;
}

}  // namespace

Result<NewEnds> NewEnds::since(const GitExchange& git, const std::string& commit) {
  NewEnds ends;
  if (commit.empty()) return ends;
  std::vector<HostLog::File> files;
  for (const auto& [file, object] : TRY(git.files_in(commit, ".loci/tombstones")))
    files.push_back({file, TRY(git.bytes_of(object))});
  for (const Tombstone& one : vault_logs_of(files, {}).tombstones) ends.known_.insert(name_of(one));
  return ends;
}

std::set<std::string> NewEnds::in(const VaultLogs& logs) const {
  std::set<std::string> ids;
  for (const Tombstone& one : logs.tombstones)
    if (!known_.contains(name_of(one))) ids.insert(one.id);
  return ids;
}

}  // namespace loci
