#include <algorithm>

#include "vault/git/git_answers.h"
#include "vault/git/git_exchange.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view plain_file = "100644", program_file = "100755";
constexpr size_t shortest_hash = 40;

// And no name that may be another one's by the next question.
bool is_commit(std::string_view name) {
  return name.size() >= shortest_hash && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<GitFile> file_in(std::string_view mode, std::string_view object) {
  if (mode != plain_file && mode != program_file)
    return fail(ErrorCode::refused, "a link or a repository within the vault was changed on both sides", "'git merge' by hand");
  return GitFile{std::string(mode), std::string(object)};
}

// The lines of `ls-tree -z`.
std::map<std::string, GitFile> listed_files(const std::string& answer) {
  std::map<std::string, GitFile> files;
  for (const std::string& one : split_answer(answer, '\0')) {
    const size_t tab = one.find('\t');
    const Words fields = split_answer(std::string_view(one).substr(0, tab), ' ');  // mode, type, object
    if (tab != std::string::npos && fields.size() == 3 && fields[0] == plain_file)
      files.emplace(one.substr(tab + 1), GitFile{fields[0], fields[2]});
  }
  return files;
}

}  // namespace

Result<bool> GitExchange::is_ancestor(const std::string& commit, const std::string& of) const {
  return TRY(merge_base(commit, of)) == commit;
}

Result<std::optional<std::string>> GitExchange::merge_base(const std::string& one, const std::string& other) const {
  if (one == other) return one;
  const std::pair key = std::minmax(one, other);
  const auto known = known_.merge_bases.find(key);
  if (known != known_.merge_bases.end()) return known->second;
  const auto answer = TRY(ask({"merge-base", one, other}, {limits_.here}));
  if (answer.status > 1) return git_failed("merge-base", answer);
  auto found = answer.status == 0 ? std::optional(first_line_of(answer.output)) : std::nullopt;
  if (is_commit(one) && is_commit(other)) known_.merge_bases.emplace(key, found);
  return found;
}

Result<GitTreeMerge> GitExchange::merge_trees(const std::string& ours, const std::string& theirs) const {
  const auto answer = TRY(ask({"merge-tree", "--write-tree", "--no-messages", "-z", ours, theirs}, {limits_.here}));
  if (answer.status > 1) return git_failed("merge-tree", answer);
  const Words parts = split_answer(answer.output, '\0');
  if (parts.empty()) return git_failed("merge-tree", answer);
  GitTreeMerge merge{parts.front(), {}};
  for (size_t i = 1; i < parts.size(); ++i) {  // "<mode> <object> <stage>\t<path>"
    const size_t tab = parts[i].find('\t');
    const Words fields = split_answer(std::string_view(parts[i]).substr(0, tab), ' ');
    if (tab == std::string::npos || fields.size() != 3) return git_failed("merge-tree", answer);
    auto& conflict = merge.conflicts[parts[i].substr(tab + 1)];
    auto& stage = fields[2] == "1" ? conflict.base : fields[2] == "2" ? conflict.ours : conflict.theirs;
    stage = TRY(file_in(fields[0], fields[1]));
  }
  return merge;
}

Result<std::string> GitExchange::bytes_of(const GitFile& file) const { return say({"cat-file", "blob", file.object}); }

Result<std::string> GitExchange::edit_tree(const std::string& tree, const std::vector<GitEdit>& edits) const {
  if (edits.empty()) return tree;
  const path index = scratch_ / "merge.index", bytes = scratch_ / "merged";
  std::error_code ignored;
  std::filesystem::remove(index, ignored);
  const Words variables = {"GIT_INDEX_FILE=" + index.string()};
  const auto run = [&](Words words) -> Result<std::string> {
    auto answer = TRY(ask(words, {limits_.here, variables}));
    if (answer.status != 0) return git_failed(words.front(), answer);
    return first_line_of(answer.output);
  };
  TRY(run({"read-tree", tree}));
  for (const GitEdit& edit : edits) {
    if (!edit.bytes) {
      TRY(run({"update-index", "--force-remove", "--", edit.path}));
      continue;
    }
    TRY(write_file(real_file_system(), bytes, *edit.bytes));
    const std::string object = TRY(run({"hash-object", "-w", "--no-filters", "--", bytes.string()}));
    TRY(run({"update-index", "--add", "--cacheinfo", edit.mode + "," + object + "," + edit.path}));
  }
  auto edited = run({"write-tree"});
  std::filesystem::remove(index, ignored);
  std::filesystem::remove(bytes, ignored);
  return edited;
}

Result<Words> GitExchange::files_new_in(const std::string& from, const std::string& to, const Words& folders) const {
  Words words{"diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=d", from, to, "--"};
  words.insert(words.end(), folders.begin(), folders.end());
  return split_answer(TRY(say(words)), '\0');
}

Result<std::map<std::string, GitFile>> GitExchange::files_in(const std::string& commit, const std::string& folder) const {
  return listed_files(TRY(say({"ls-tree", "-r", "-z", commit, "--", folder + "/"})));
}

Result<std::optional<GitFile>> GitExchange::file_at(const std::string& commit, const std::string& path) const {
  const auto found = listed_files(TRY(say({"ls-tree", "-r", "-z", commit, "--", path})));
  return found.contains(path) ? std::optional(found.at(path)) : std::nullopt;
}

Result<std::string> GitExchange::commit_tree(const std::string& tree, const Words& parents, const std::string& message) const {
  Words words = {"commit-tree", tree, "-m", message};
  for (const std::string& parent : parents) words.insert(words.end(), {"-p", parent});
  const auto answer = TRY(ask_as_somebody(words));
  if (answer.status != 0) return git_failed("commit-tree", answer);
  return first_line_of(answer.output);
}

Result<bool> GitExchange::fast_forward(const std::string& commit) const {
  TRY(untrack_own());  // else it would take them away where the other side did so
  const auto answer = TRY(ask({"merge", "--quiet", "--ff-only", "--no-autostash", commit}, {limits_.here}));
  if (answer.status == 0) {
    if (known_.refs) known_.refs->head = commit;
    return true;
  }
  if (answer.errors.contains("would be overwritten") || answer.errors.contains("Not possible to fast-forward")) return false;
  return git_failed("merge", answer);
}

// --- a merge that somebody else's git began ---

Status GitExchange::mark_merged(const std::string& file) const {
  TRY(say({"add", "--all", "--force", "--", ":(literal)" + file}));
  return {};
}

Result<Words> GitExchange::unmerged_stages(const std::string& file) const {
  Words stages;
  for (const std::string& one : split_answer(TRY(say({"ls-files", "--unmerged", "-z", "--", ":(literal)" + file})), '\0'))
    stages.push_back(one.substr(0, one.find('\t')));
  return stages;
}

Status GitExchange::mark_unmerged(const std::string& file, const Words& stages) const {
  std::string lines;
  for (const std::string& stage : stages) {
    const Words fields = split_answer(stage, ' ');  // mode, object, stage
    if (lines.empty() && fields.size() == 3) lines = "0 " + std::string(fields[1].size(), '0') + '\t' + file + '\0';
    lines += stage + '\t' + file + '\0';
  }
  const auto told = TRY(ask({"update-index", "-z", "--index-info"}, {limits_.here, {}, lines}));
  if (told.status != 0) return git_failed("update-index", told);
  return {};
}

bool GitExchange::is_merging() const {
  const auto operation = git_operation_around(root_);
  return operation && operation->marker == "MERGE_HEAD";
}

Status GitExchange::finish_merge(const std::string& theirs, const std::string& message) const {
  if (!is_merging()) return {};
  TRY(check_place());
  const std::string begun = TRY(line({"rev-parse", "--verify", "MERGE_HEAD^{commit}"}));
  const auto waiting = split_answer(TRY(say({"diff", "--name-only", "--diff-filter=U", "-z"})), '\0');
  if (!waiting.empty() || !TRY(is_ancestor(begun, theirs))) return check_ready();  // it says what to do
  TRY(add_all(*TRY(work_tree())));
  known_.refs.reset();
  known_.tree.reset();
  const auto done = TRY(ask_as_somebody({"commit", "--quiet", "-m", message}));
  if (done.status != 0)
    return fail(ErrorCode::failed, "git does not finish the merge: " + what_git_said(done),
                "'git commit --no-edit' by hand says more; a hook may refuse it");
  return {};
}

}  // namespace loci
