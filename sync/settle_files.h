// Files that git could not merge, as what they should be: entry by entry, line by line of a log, or both versions side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sync/merge_entry.h"
#include "sync/merge_three.h"
#include "vault/git/git_exchange.h"
#include "vault/logs/chronicle.h"

namespace loci {

// How two versions of a file become one; told from its path in the vault.
enum class MergeWay : std::uint8_t {
  entries,  // MEMORY.md, user.md, and markdown in consolidated/ and archive/
  lines,    // logs
  text,     // a person's notes: as git does it
  apart,    // anything else: one stays, the other stands beside it
};
MergeWay merge_way_of(std::string_view relative_path);

struct SettledFiles {
  std::vector<GitEdit> edits;
  std::vector<std::string> conflicts;  // files in which something waits for a person
};

Result<SettledFiles> settle_files(const GitExchange& git, const GitTreeMerge& merge, const MergeKnowledge& knowledge);

// What these logs tell a merge; they have to outlive it.
MergeKnowledge knowledge_of(const Chronicle& logs);

// What the logs of both commits say together; reads them when it is asked first. `git` has to outlive it.
class KnowledgeOfCommits {
 public:
  KnowledgeOfCommits(const GitExchange& git, std::string ours, std::string theirs);
  Result<MergeKnowledge> read() const;

 private:
  const GitExchange& git_;
  std::string ours_, theirs_;
};

}  // namespace loci
