#include <algorithm>
#include <array>
#include <set>

#include "vault/git/git_answers.h"
#include "vault/git/git_exchange.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

constexpr const char* how_to_end_a_merge =
    "'loci resolve' lists what waits in it, 'git commit --no-edit' finishes it then, 'git merge --abort' gives it up";

// "a key\nits value", one behind each other; of a key that stands there twice the last counts.
std::map<std::string, std::string> settings_of(const std::string& listed) {
  std::map<std::string, std::string> found;
  for (const std::string& one : split_answer(listed, '\0')) {
    const size_t end = std::min(one.find('\n'), one.size());
    found[one.substr(0, end)] = first_line_of(std::string_view(one).substr(std::min(end + 1, one.size())));
  }
  return found;
}

// What loci keeps in the vault.
constexpr std::array<std::string_view, 5> memory{"MEMORY.md", "user.md", "consolidated", "archive", ".loci"};

bool is_of_memory(const std::string& file) { return std::ranges::find(memory, file.substr(0, file.find('/'))) != memory.end(); }

// A question of git's about that.
std::vector<std::string> of_memory(std::vector<std::string> words) {
  words.emplace_back("--");
  words.insert(words.end(), memory.begin(), memory.end());
  return words;
}

}  // namespace

// --- state ---

Status GitExchange::check_place() const {
  if (git_folder_around(root_).empty())
    return fail(ErrorCode::refused, root_.string() + " is in no git repository",
                "'loci init --git' makes it one, 'loci sync --setup URL' says where to");
  const path top = TRY(place())->top;
  std::error_code error;
  if (std::filesystem::equivalent(top, root_, error)) return {};
  return fail(ErrorCode::refused,
              "the vault lies inside of another repository, " + top.string() + ": a sync would push what is not memory",
              "make the vault a repository of its own, or commit and push by hand");
}

Status GitExchange::check_ready() const {
  if (const auto operation = git_operation_around(root_))
    return fail(ErrorCode::refused, "git is in the middle of something here (" + operation->marker + ")",
                operation->marker.ends_with(".lock") ? "if no git runs any more, remove that file"
                : is_merging()                       ? how_to_end_a_merge
                                                     : "finish or abort it first: 'git status' says how");
  TRY(check_place());
  if (!TRY(work_tree())->waits) return {};
  return fail(ErrorCode::refused, "files of a merge wait for somebody", "'loci resolve' lists them");
}

Result<const GitExchange::Place*> GitExchange::place() const {
  if (!known_.place) {
    // Where the folder of git lies in the vault, and no setting says otherwise, that is its work tree.
    std::error_code error;
    if (std::filesystem::exists(root_ / ".git", error) && TRY(setting("core.worktree")).empty()) {
      known_.place = Place{root_, common_git_folder(git_folder_around(root_))};
      return &*known_.place;
    }
    const auto lines = split_answer(TRY(say({"rev-parse", "--show-toplevel", "--git-common-dir"})), '\n');
    if (lines.size() != 2) return fail(ErrorCode::failed, "git does not say where the repository of " + root_.string() + " is");
    known_.place = Place{lines[0], root_ / lines[1]};  // an absolute one stays that
  }
  return &*known_.place;
}

Result<const GitExchange::Refs*> GitExchange::refs() const {
  if (known_.refs) return &*known_.refs;
  Refs found;
  constexpr std::string_view heads = "refs/heads/";
  // " <commit> refs/loci/exchanged/main", "*<commit> refs/heads/main" for the branch that is checked out
  const auto listed =
      TRY(say({"for-each-ref", "--format=%(HEAD)%(objectname) %(refname)", "refs/heads", "refs/loci", "refs/worktree"}));
  for (const std::string& one : split_answer(listed, '\n')) {
    const size_t space = one.find(' ', 1);
    if (space == std::string::npos) continue;
    const std::string commit = one.substr(1, space - 1), name = one.substr(space + 1);
    if (one.front() == '*') found.branch = name.substr(heads.size()), found.head = commit;
    if (!name.starts_with(heads)) found.loci.emplace(name, commit);
  }
  if (found.head.empty()) {  // on no branch, or on one without a commit
    const auto branch = TRY(ask({"symbolic-ref", "--quiet", "--short", "HEAD"}, {limits_.here}));
    if (branch.status == 0) found.branch = first_line_of(branch.output);
    const auto commit = TRY(ask({"rev-parse", "--quiet", "--verify", "HEAD^{commit}"}, {limits_.here}));
    if (commit.status == 0) found.head = first_line_of(commit.output);
  }
  known_.refs = std::move(found);
  return &*known_.refs;
}

Result<std::string> GitExchange::current_branch() const {
  std::string branch = TRY(refs())->branch;
  if (!branch.empty()) return branch;
  return fail(ErrorCode::refused, "git stands on no branch (a detached HEAD)", "'git switch main' first");
}

Result<GitUpstream> GitExchange::upstream() const {
  GitUpstream upstream{{}, TRY(current_branch()), {}};
  upstream.remote = TRY(setting("branch." + upstream.branch + ".remote"));
  upstream.ref = TRY(setting("branch." + upstream.branch + ".merge"));
  if (upstream.remote.empty() || upstream.remote == "." || upstream.ref.empty())
    return fail(ErrorCode::refused, "the branch '" + upstream.branch + "' has no counterpart on any remote",
                "'loci sync --setup URL' says where the vault is exchanged");
  return upstream;
}

Result<std::string> GitExchange::head() const { return TRY(refs())->head; }

Result<GitExchange::KeptOut> GitExchange::kept_out() const {
  const auto ignored = [&](const std::string& rules) -> Result<std::vector<std::string>> {
    auto words = of_memory({"ls-files", "--others", "--ignored", "-z", rules});
    for (const std::string& folder : own_folders) words.push_back(":(exclude,literal)" + folder);
    return split_answer(TRY(say(words)), '\0');
  };
  KeptOut found{TRY(ignored("--exclude-standard")), {}, {}};
  if (found.files.empty()) return found;
  const auto meant = TRY(ignored("--exclude-per-directory=.gitignore"));
  const std::set<std::string_view> by_the_vault(meant.begin(), meant.end());
  std::erase_if(found.files, [&](const std::string& file) { return by_the_vault.contains(file); });
  if (found.files.empty()) return found;
  const auto answer = TRY(ask({"check-ignore", "--verbose", "-z", "--stdin"}, {limits_.here, {}, found.files.front() + '\0'}));
  const auto told = split_answer(answer.output, '\0');  // file, line, pattern, path
  if (told.size() > 2) found.place = told[0] + ":" + told[1], found.pattern = told[2];
  return found;
}

Result<GitExchange::Losses> GitExchange::losses() const {
  Losses found;
  auto gone = TRY(work_tree())->gone;
  std::erase_if(gone, [](const auto& one) { return !is_of_memory(one.first); });
  if (gone.empty()) return found;
  std::multiset<std::string> elsewhere;
  std::string added;
  for (const std::string& file : split_answer(TRY(say(of_memory({"ls-files", "--others", "--exclude-standard", "-z"}))), '\0')) {
    std::error_code error;
    const bool can_be_hashed = std::filesystem::is_regular_file(root_ / file, error) && !file.contains('\n');
    if (can_be_hashed) added += file + '\n';
  }
  for (const std::string& object : split_answer(TRY(ask({"hash-object", "--stdin-paths"}, {limits_.here, {}, added})).output, '\n'))
    elsewhere.insert(object);
  for (const auto& [file, object] : gone) {
    const auto moved = elsewhere.find(object);
    if (moved == elsewhere.end())
      found.files.push_back(file);
    else
      elsewhere.erase(moved);
  }
  found.had = split_answer(TRY(say(of_memory({"ls-files", "-z"}))), '\0').size();
  return found;
}

// --- settings ---

Result<path> GitExchange::common_folder() const { return TRY(place())->common; }

Result<const std::map<std::string, std::string>*> GitExchange::all_settings() const {
  if (!known_.settings) {
    const auto answer = TRY(ask({"config", "--local", "--includes", "--list", "-z"}, {limits_.here}));
    known_.settings = settings_of(answer.status == 0 ? answer.output : std::string());
  }
  return &*known_.settings;
}

Result<std::string> GitExchange::setting(const std::string& key) const {
  const auto& known = *TRY(all_settings());
  const auto found = known.find(key);
  return found == known.end() ? std::string() : found->second;
}

Result<bool> GitExchange::exchanges_another_branch(const std::string& remote) const {
  const std::string own = "branch." + TRY(current_branch()) + ".remote";
  return std::ranges::any_of(*TRY(all_settings()), [&](const auto& known) {
    return known.first.starts_with("branch.") && known.first.ends_with(".remote") && known.first != own && known.second == remote;
  });
}

Status GitExchange::set(const std::string& key, const std::string& value) const {
  known_.settings.reset();
  TRY(say({"config", "--replace-all", key, value}));
  return {};
}

Status GitExchange::add_remote(const std::string& name, const std::string& url) const {
  known_.settings.reset();
  TRY(say({"remote", "add", "--", name, url}));
  return {};
}

Result<std::vector<std::string>> GitExchange::remotes() const { return split_answer(TRY(say({"remote"})), '\n'); }

}  // namespace loci
