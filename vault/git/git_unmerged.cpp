#include "vault/git/git.h"
#include "vault/git/git_answers.h"
#include "vault/git/git_operation.h"
#include "vault/layout/ignore.h"

namespace loci {
namespace {

constexpr size_t object_limit = size_t{64} << 20;
constexpr size_t list_limit = size_t{16} << 20;

// In a rebase git calls "ours" what is built upon, and where a stash could not be applied what HEAD has: what was made here is the
// other side then. A merge, a cherry-pick or a revert is told by its marker.
bool is_turned_around(const path& root) {
  const auto operation = git_operation_around(root);
  if (!operation) return true;
  const std::string& marker = operation->marker;
  return marker != "MERGE_HEAD" && marker != "CHERRY_PICK_HEAD" && marker != "REVERT_HEAD";
}

}  // namespace

Result<std::map<std::string, GitStages>> Git::unmerged() const {
  std::map<std::string, GitStages> files;
  if (git_folder_around(root_).empty()) return files;
  const std::string_view ours = is_turned_around(root_) ? "3" : "2";
  for (const std::string& one : split_answer(TRY(say({"ls-files", "--unmerged", "-z", "--", "."}, list_limit)), '\0')) {
    const size_t tab = one.find('\t');  // "<mode> <object> <stage>\t<file>"
    const auto fields = split_answer(std::string_view(one).substr(0, tab), ' ');
    if (tab == std::string::npos || fields.size() != 3) continue;
    GitStages& stages = files[one.substr(tab + 1)];
    (fields[2] == "1" ? stages.base : fields[2] == ours ? stages.ours : stages.theirs) = fields[1];
  }
  return files;
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

Result<std::vector<std::string>> Git::files_with_markers() const {
  std::vector<std::string> files;
  if (git_folder_around(root_).empty()) return files;
  const std::vector<std::string> words = {"grep", "--untracked", "-I", "-l",         "-z",          "--no-color", "-E",
                                          "-e",   "^<{7}( |$)",  "-e", "^>{7}( |$)", "--all-match", "--",         "."};
  const auto answer = TRY(ask(words, list_limit));
  if (answer.status > 1) return git_failed("grep", answer);  // 1: in none
  for (std::string& file : split_answer(answer.output, '\0')) {
    const bool is_hidden = file.starts_with('.') || file.contains("/.");
    if (is_hidden || !has_markdown_suffix(file)) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace loci
