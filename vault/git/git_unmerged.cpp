#include "vault/git/git.h"
#include "vault/git/git_answers.h"
#include "vault/git/git_operation.h"
#include "vault/layout/ignore.h"

namespace loci {
namespace {

constexpr size_t object_limit = size_t{64} << 20;
constexpr size_t list_limit = size_t{16} << 20;

}  // namespace

Result<std::map<std::string, GitStages>> Git::unmerged() const {
  std::map<std::string, GitStages> files;
  if (git_folder_around(root_).empty()) return files;
  for (const std::string& one : split_answer(TRY(say({"ls-files", "--unmerged", "-z", "--", "."}, list_limit)), '\0')) {
    const size_t tab = one.find('\t');  // "<mode> <object> <stage>\t<file>"
    const auto fields = split_answer(std::string_view(one).substr(0, tab), ' ');
    if (tab == std::string::npos || fields.size() != 3) continue;
    GitStages& stages = files[one.substr(tab + 1)];
    (fields[2] == "1" ? stages.base : fields[2] == "2" ? stages.ours : stages.theirs) = fields[1];
  }
  if (!files.empty()) TRY(turn_around(files));
  return files;
}

// In a rebase git calls "ours" what is built upon, and where a stash could not be applied what HEAD has. It keeps that stash, which
// tells it.
Status Git::turn_around(std::map<std::string, GitStages>& files) const {
  const auto operation = git_operation_around(root_);
  if (operation && operation->marker.ends_with("_HEAD")) return {};  // a merge, a cherry-pick, a revert
  const bool is_rebase = operation && operation->marker.starts_with("rebase-");
  std::vector<std::string> stashes;
  if (!is_rebase) stashes = split_answer(TRY(ask({"log", "-g", "--format=%H", "refs/stash", "--"}, list_limit)).output, '\n');
  for (auto& [file, stages] : files) {
    bool is_turned = is_rebase;
    for (size_t i = 0; i < stashes.size() && !is_turned; ++i) {
      const auto held = TRY(ask({"rev-parse", "--verify", "-q", stashes[i] + ":./" + file}, list_limit));
      is_turned = (held.status == 0 ? std::optional(first_line_of(held.output)) : std::nullopt) == stages.theirs;
    }
    if (is_turned) std::swap(stages.ours, stages.theirs);
  }
  return {};
}

Result<std::string> Git::bytes_of(const std::string& object) const { return say({"cat-file", "blob", object}, object_limit); }

Result<std::optional<std::string>> Git::last_version(const std::string& file, const std::string& line) const {
  if (git_folder_around(root_).empty()) return std::nullopt;
  const std::vector<std::string> words = {"log",    "-1", "--full-history", "--no-merges", "--format=%H",      "--fixed-strings",
                                          "--grep", line, "HEAD",           "--",          ":(literal)" + file};
  const auto answer = TRY(ask(words, list_limit));
  const std::string commit = first_line_of(answer.output);
  if (answer.status != 0 || commit.empty()) return std::nullopt;
  return file_at(commit, file);
}

Result<std::vector<std::string>> Git::files_with_markers(const std::string& folder) const {
  std::vector<std::string> files;
  if (git_folder_around(root_).empty()) return files;
  const std::vector<std::string> words = {"grep", "--untracked", "-I", "-l",         "-z",          "--no-color", "-E",
                                          "-e",   "^<{7}( |$)",  "-e", "^>{7}( |$)", "--all-match", "--",         folder};
  const auto answer = TRY(ask(words, list_limit));
  if (answer.status > 1) return git_failed("grep", answer);  // 1: in none
  for (std::string& file : split_answer(answer.output, '\0')) {
    const bool is_hidden = file.starts_with('.') || file.contains("/.");
    if (is_hidden || !has_markdown_suffix(file)) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace loci
