// What git did and has, in the repository around a vault. git itself is asked: a child process with a time limit, without prompts,
// network, optional locks or anything that a repository's own configuration could have it run. What a few stats tell, such as
// whether git did anything at all since, does without it: vault/git/git_operation.h.
//
// The vault may be the root of the repository, lie below it, be in a worktree or in none. Files are named relative to the vault, as
// everywhere; commits by all their hex digits, or "HEAD".
//
// What git says is a value. ErrorCode::locked: git is at work, or was meanwhile: ask again. ErrorCode::failed: git cannot be asked
// (it is not installed, refuses the repository, takes too long). ErrorCode::not_found: there is no repository, or no such commit in
// it. Any thread may ask; they may ask at once.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/file_system.h"
#include "base/result.h"
#include "base/synchronized.h"

namespace loci {

// Where a repository stands.
struct GitPosition {
  std::string branch;  // "refs/heads/main"; empty: detached
  std::string commit;  // HEAD; empty: the branch has none yet
  std::string stash;   // the newest; empty: none

  bool operator==(const GitPosition&) const = default;
};

// A file that git could not merge, as it is in the index: names of objects. None: that side has no such file. "Ours" is what was
// made on this machine, which git calls "theirs" in a rebase and where a stash could not be applied.
struct GitStages {
  std::optional<std::string> base, ours, theirs;
};

class Git {
 public:
  explicit Git(path vault_root, std::chrono::milliseconds time_limit = std::chrono::seconds(10))
      : root_(std::move(vault_root)), time_limit_(time_limit) {}

  // None without a repository. Runs git only if something moved since it was asked last.
  Result<std::optional<GitPosition>> position();

  // Commits by their names, or HEAD, or a whole ref ("refs/heads/main"). None if their histories have nothing in common.
  Result<std::optional<std::string>> merge_base(const std::string& one, const std::string& other) const;
  Result<bool> is_ancestor(const std::string& commit, const std::string& of) const;

  // The bytes of a file in a commit; none if it was not in it.
  Result<std::optional<std::string>> file_at(const std::string& commit, const std::string& file) const;
  // The bytes of a file as the newest commit has it that changed it, is no merge, and has this line in its message. None: no such
  // commit, or no repository.
  Result<std::optional<std::string>> last_version(const std::string& file, const std::string& line) const;
  // The files of the vault that are not the same in the two.
  Result<std::vector<std::string>> files_between(const std::string& from, const std::string& to) const;

  // The files of the vault that wait for somebody after a merge, a rebase, a cherry-pick or a stash, whatever they say by now.
  // Empty without a repository.
  Result<std::map<std::string, GitStages>> unmerged() const;
  Result<std::string> bytes_of(const std::string& object) const;
  // Files of text that git has or would take, with its conflict markers in them, that no index of markdown knows: what is hidden or
  // no markdown. Below `folder`.
  Result<std::vector<std::string>> files_with_markers(const std::string& folder = ".") const;

  // Is, or was, there a file of this name in the index, a stash, or a commit that any ref or reflog leads to?
  Result<bool> has_file(const std::string& file) const;
  // Those of the texts (of one line each) that stand in a markdown file of the vault, whatever its name, in the index, in a stash,
  // or in a commit that any ref or reflog leads to. What stood in `since` or its ancestors already may be left out: give the
  // commit that was checked out when the texts were made, and git has little to look through. Empty: all there is. None without a
  // repository.
  Result<std::set<std::string>> held(const std::set<std::string>& texts, const std::string& since) const;

 private:
  struct Known {
    std::string fingerprint;
    GitPosition position;
  };

  Status turn_around(std::map<std::string, GitStages>& files) const;
  Result<ProgramAnswer> ask(std::vector<std::string> words, size_t output_limit) const;
  Result<std::string> say(std::vector<std::string> words, size_t output_limit = size_t{16} << 20) const;
  Result<GitPosition> ask_position() const;
  Status check_commits(const std::vector<std::string>& commits) const;
  Status find_commits(const std::vector<std::string>& commits) const;
  Status check_nothing_moved(const std::string& fingerprint) const;

  path root_;
  std::chrono::milliseconds time_limit_;
  Synchronized<std::optional<Known>> known_;
};

}  // namespace loci
