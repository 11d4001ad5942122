// What a sync asks git to do: commit, fetch, merge without touching the work tree, push, move on. git itself does it, as a child
// process with a time limit, without prompts of any kind, without force, and with the hooks and the credentials of the person whose
// repository it is. Nothing here rebases, stashes or rewrites.
//
// ErrorCode::refused: the repository is in no state for it; the message says why. ErrorCode::remote: the other side refused, could
// not be reached, wants a password, or took too long. ErrorCode::failed: git itself failed here. One thread; another git may run
// meanwhile, and then git's own locks decide.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "base/file_system.h"
#include "base/result.h"

namespace loci {

struct GitUpstream {
  std::string remote;  // "origin"
  std::string branch;  // the branch here, "main"
  std::string ref;     // the one there, "refs/heads/main"
};

struct GitFile {
  std::string mode;  // "100644"
  std::string object;
};

// Two commits as one tree, with what git could not merge.
struct GitTreeMerge {
  std::string tree;
  struct Conflict {
    std::optional<GitFile> base, ours, theirs;
  };
  std::map<std::string, Conflict> conflicts;  // by path
};

// A file of a tree as it should be; no bytes: it goes.
struct GitEdit {
  std::string path, mode;
  std::optional<std::string> bytes;
};

// What one commit has that another has not.
struct GitDifference {
  size_t files = 0, entries = 0;  // entries: with metadata
  bool operator==(const GitDifference&) const = default;
};

enum class Pushed : std::uint8_t {
  yes,
  behind,  // somebody else was first: fetch again
};

// Somebody who writes to the vault, told from the commits.
struct GitPeer {
  std::string host;       // the id of a machine with loci; empty: a person with git alone
  std::string name;       // of who committed
  std::int64_t seen = 0;  // seconds since 1970: the newest commit
};

class GitExchange {
 public:
  struct Limits {
    std::chrono::milliseconds here{60'000}, network{300'000};
  };
  GitExchange(path vault_root, path scratch_folder, Limits limits, std::stop_token stop = {});

  // ErrorCode::refused unless the vault is the top of a work tree, on a branch, with no operation under way.
  Status check_ready() const;
  // ErrorCode::refused if the branch has none.
  Result<GitUpstream> upstream() const;
  Result<std::string> current_branch() const;  // ErrorCode::refused: on none
  Result<std::string> head() const;            // empty: there is no commit yet

  // Everything in the vault that is not ignored, as a commit on the branch if anything differs. HEAD then.
  Result<std::string> commit_all(const std::string& message) const;
  // The same as a commit that nothing refers to.
  Result<std::string> commit_apart(const std::string& message) const;

  // A file that git could not merge is as it should be.
  Status mark_merged(const std::string& file) const;
  // What git has of a file that it could not merge, a mode, an object and a stage each; and that it has it again.
  Result<std::vector<std::string>> unmerged_stages(const std::string& file) const;
  Status mark_unmerged(const std::string& file, const std::vector<std::string>& stages) const;
  // Commits a merge that somebody's git began of something that `theirs` has, once nothing in it waits for a person; does nothing
  // if no merge is under way. ErrorCode::refused if files wait, or if it is a merge of something else.
  Status finish_merge(const std::string& theirs, const std::string& message) const;
  bool is_merging() const;

  // What the remote has on the branch; none: there is no such branch yet.
  Result<std::optional<std::string>> fetch(const GitUpstream& upstream) const;
  // The branches that the remote has, the one that it names as its own first.
  Result<std::vector<std::string>> branches(const std::string& remote) const;
  // The remote's newest commit as of the last exchange of this branch; empty: there was none.
  Result<std::string> exchanged() const;
  Status note_exchanged(const std::string& commit) const;
  // How far what came on this branch has been taken in, which whoever does that notes; empty: nothing was.
  Result<std::string> taken_in() const;
  Status note_taken_in(const std::string& commit) const;

  Result<bool> is_ancestor(const std::string& commit, const std::string& of) const;
  Result<std::optional<std::string>> merge_base(const std::string& one, const std::string& other) const;
  Result<GitTreeMerge> merge_trees(const std::string& ours, const std::string& theirs) const;
  Result<std::string> bytes_of(const GitFile& file) const;
  Result<std::string> edit_tree(const std::string& tree, const std::vector<GitEdit>& edits) const;
  // The files of these folders that the second commit has and the first has not, or has otherwise.
  Result<std::vector<std::string>> files_new_in(const std::string& from, const std::string& to,
                                                const std::vector<std::string>& folders) const;
  // The files below a folder of a commit.
  Result<std::map<std::string, GitFile>> files_in(const std::string& commit, const std::string& folder) const;
  Result<std::optional<GitFile>> file_at(const std::string& commit, const std::string& path) const;
  Result<std::string> commit_tree(const std::string& tree, const std::vector<std::string>& parents,
                                  const std::string& message) const;

  Result<Pushed> push(const GitUpstream& upstream, const std::string& commit) const;
  // The branch and the files go on to a commit that HEAD is an ancestor of. False if a file was changed meanwhile, and nothing was
  // done.
  Result<bool> fast_forward(const std::string& commit) const;

  Result<GitDifference> difference(const std::string& from, const std::string& to) const;
  // What loci keeps in the vault and a rule of git's from outside of it keeps out of every commit, as one of a person's own for all
  // their repositories: each file, and the first one's rule. What the vault's own .gitignore names is meant.
  struct KeptOut {
    std::vector<std::string> files;
    std::string pattern, place;  // "archive/", "/home/ana/.gitignore:3"
  };
  Result<KeptOut> kept_out() const;
  // Files of loci's that git has, that are gone from the vault, and of which nobody told git (`git rm`, `git mv`, `git add`). What
  // was only moved within the vault is not among them.
  struct Losses {
    std::vector<std::string> files;
    size_t had = 0;  // the files of loci's that git has
  };
  Result<Losses> losses() const;
  // Files that differ from HEAD, and commits that the last exchange does not know; before the first one, all that the remote is not
  // known to have.
  Result<GitDifference> not_exchanged() const;
  Result<std::vector<GitPeer>> peers() const;
  // The machines with loci that made commits which one has and the other has not.
  Result<std::set<std::string>> hosts_between(const std::string& from, const std::string& to) const;

  // The folder of the repository that all its work trees share, and one setting.
  Result<path> common_folder() const;
  Status set(const std::string& key, const std::string& value) const;
  Result<std::string> setting(const std::string& key) const;  // empty: not set
  // Of the branches here another one than that which is checked out has its counterpart there.
  Result<bool> exchanges_another_branch(const std::string& remote) const;
  Status add_remote(const std::string& name, const std::string& url) const;
  Result<std::vector<std::string>> remotes() const;

 private:
  struct Run {
    std::chrono::milliseconds limit;
    std::vector<std::string> variables = {};
    std::string input = {};
  };
  struct Place {
    path top, common;  // the work tree, and the folder of the repository
  };
  // The branch that is checked out, its commit, and the references that loci keeps.
  struct Refs {
    std::string branch, head;                 // "main"; empty: none
    std::map<std::string, std::string> loci;  // "refs/loci/…", "refs/worktree/…" to its commit
  };
  struct WorkTree {
    std::string head, branch;                 // empty: there is no commit yet; "main"
    bool differs = false;                     // from the commit, in a file that is not ignored
    bool waits = false;                       // git could not merge a file of it
    std::map<std::string, std::string> gone;  // of which nobody told git, to the object that git has
    std::vector<std::string> repositories;    // other ones, in folders that nothing is known of
  };
  // What git said already. Whatever changes it here forgets it; what somebody else's git does meanwhile is seen by the next
  // commit_all(), and its moves of the branch keep fast_forward() from moving.
  struct Known {
    std::optional<Place> place;
    std::optional<Refs> refs;
    std::optional<WorkTree> tree;  // for one commit at most
    std::optional<std::map<std::string, std::string>> settings;
    std::map<std::pair<std::string, std::string>, std::optional<std::string>> merge_bases;  // of commits by their digits
  };
  Result<const Place*> place() const;
  Result<const std::map<std::string, std::string>*> all_settings() const;
  Result<const Refs*> refs() const;
  Result<const WorkTree*> work_tree() const;
  Result<WorkTree> ask_work_tree() const;
  Status check_place() const;
  Result<ProgramAnswer> ask(std::vector<std::string> words, const Run& run) const;
  Status untrack_own() const;
  Result<ProgramAnswer> ask_as_somebody(const std::vector<std::string>& words) const;
  Result<std::string> say(const std::vector<std::string>& words) const;
  Result<std::string> line(const std::vector<std::string>& words) const;
  Result<std::string> marked(std::string_view marks) const;
  Result<std::string> empty_tree() const;
  Result<std::string> cloned() const;  // the remote's commit as git itself fetched it; empty: it never did
  Status mark(std::string_view marks, const std::string& commit) const;
  Result<std::vector<std::string>> add_all_words(const WorkTree& tree) const;
  Status add_all(const WorkTree& tree) const;

  path root_, scratch_;
  Limits limits_;
  std::stop_token stop_;
  mutable Known known_;
};

// A commit's trailer that says which machine made it.
inline constexpr const char* host_trailer = "Loci-Host";

}  // namespace loci
