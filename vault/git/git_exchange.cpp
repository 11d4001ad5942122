#include "vault/git/git_exchange.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

#include "base/log.h"
#include "vault/git/git_answers.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

using Words = std::vector<std::string>;

constexpr std::chrono::milliseconds grace{2'000};  // for git to take its locks away
constexpr size_t output_limit = size_t{256} << 20;
constexpr const char* incoming_ref = "refs/worktree/loci-incoming";  // each work tree of a repository has its own
constexpr std::string_view exchanged_refs = "refs/loci/exchanged/", taken_in_refs = "refs/loci/taken-in/";  // and the branch
constexpr const char* former_refs[] = {"refs/loci/exchanged", "refs/loci/incoming"};                        // an earlier version's
constexpr const char* peers_looked_at = "2000";                                                             // commits

// The files of entries are merged by loci, whatever the repository says of its driver: to git they are conflicts.
const Words settings = {
    "git", "--no-pager",
    "-c",  "merge.loci.driver=false",
    "-c",  "merge.renames=false",
    "-c",  "merge.directoryRenames=false",
    "-c",  "rerere.enabled=false",
    "-c",  "commit.gpgSign=false",
    "-c",  "push.gpgSign=false",
    "-c",  "submodule.recurse=false",
    "-c",  "fetch.recurseSubmodules=false",
    "-c",  "advice.diverging=false",
    "-c",  "core.quotePath=false",
};

// Of a branch "a/b" nothing is left in the way of a later one "a", nor the other way round.
std::string name_of_mark(std::string_view marks, std::string_view branch) {
  std::string name(marks);
  for (const char c : branch) name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  return name;
}

Words with_all_but(std::span<const std::string> folders, Words words) {
  words.insert(words.end(), {"--", "."});
  for (const std::string& folder : folders) words.push_back(":(exclude,literal)" + folder);
  return words;
}

// Where one got in, it goes out again.
Words untrack_own_words() {
  Words words{"rm", "--cached", "-r", "-f", "--quiet", "--ignore-unmatch", "--"};
  words.insert(words.end(), own_folders.begin(), own_folders.end());
  return words;
}

// "1 .D N... <mode in the commit> <in the index> <in the work tree> <object in the commit> <in the index> <file>"
void note_gone(const std::string& one, std::map<std::string, std::string>& gone) {
  constexpr size_t fields_before_file = 8;
  if (!one.starts_with("1 ") || one.size() < 4 || one[3] != 'D') return;
  size_t object = 0, file = 0;
  for (size_t i = 0; i < fields_before_file; ++i) {
    object = file;
    const size_t space = one.find(' ', file);
    if (space == std::string::npos) return;
    file = space + 1;
  }
  gone.emplace(one.substr(file), one.substr(object, file - 1 - object));
}

}  // namespace

GitExchange::GitExchange(path vault_root, path scratch_folder, Limits limits, std::stop_token stop)
    : root_(std::move(vault_root)), scratch_(std::move(scratch_folder)), limits_(limits), stop_(std::move(stop)) {}

Result<ProgramAnswer> GitExchange::ask(Words words, const Run& run) const {
  Words all = settings;
  all.insert(all.end(), {"-C", root_.string()});
  std::ranges::move(words, std::back_inserter(all));
  return ask_program({.words = std::move(all),
                      .environment = git_environment(run.variables),
                      .input = run.input,
                      .time_limit = run.limit,
                      .output_limit = output_limit,
                      .grace = grace,
                      .stop = stop_});
}

Result<std::string> GitExchange::say(const Words& words) const {
  auto answer = TRY(ask(words, {limits_.here}));
  if (answer.status != 0) return git_failed(words.front(), answer);
  return std::move(answer.output);
}

Result<std::string> GitExchange::line(const Words& words) const { return first_line_of(TRY(say(words))); }

// Where git does not know who commits, loci does.
Result<ProgramAnswer> GitExchange::ask_as_somebody(const Words& words) const {
  const Words loci = {"GIT_AUTHOR_NAME=loci", "GIT_AUTHOR_EMAIL=loci@localhost", "GIT_COMMITTER_NAME=loci",
                      "GIT_COMMITTER_EMAIL=loci@localhost"};
  auto answer = TRY(ask(words, {limits_.here}));
  if (answer.status == 0) return answer;
  for (const char* person : {"GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"})
    if (TRY(ask({"var", person}, {limits_.here})).status != 0) return ask(words, {limits_.here, loci});
  return answer;
}

Result<const GitExchange::WorkTree*> GitExchange::work_tree() const {
  if (!known_.tree) known_.tree = TRY(ask_work_tree());
  return &*known_.tree;
}

Result<GitExchange::WorkTree> GitExchange::ask_work_tree() const {
  const std::string answer = TRY(say({"--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z", "--no-renames",
                                      "--untracked-files=all", "--ignore-submodules=dirty", "--", "."}));
  constexpr std::string_view commit = "# branch.oid ", branch = "# branch.head ", unmerged = "u ", untracked = "? ";
  WorkTree tree;
  for (const std::string& one : split_answer(answer, '\0')) {
    if (one.starts_with(commit) && !one.ends_with(')')) tree.head = one.substr(commit.size());  // "(initial)": no commit yet
    if (one.starts_with(branch)) tree.branch = one.substr(branch.size());
    if (one.starts_with('#')) continue;
    if (one.starts_with(unmerged)) tree.waits = true;
    note_gone(one, tree.gone);
    if (!one.starts_with(untracked) || !one.ends_with('/')) {
      tree.differs = true;
      continue;
    }
    tree.repositories.push_back(one.substr(untracked.size(), one.size() - untracked.size() - 1));
    log_warning("not sent: '" + tree.repositories.back() +
                "' is a repository of its own; with a line in .gitignore nothing is said of it");
  }
  return tree;
}

Status GitExchange::untrack_own() const {
  TRY(say(untrack_own_words()));
  return {};
}

// git refuses to leave out by name what is ignored already, and to add a repository without a commit.
Result<Words> GitExchange::add_all_words(const WorkTree& tree) const {
  Words asked{"check-ignore", "--no-index", "--"};
  for (const std::string& folder : own_folders) asked.push_back(folder + "/x");
  const auto answer = TRY(ask(asked, {limits_.here}));
  const Words ignored = split_answer(answer.output, '\n');
  Words left = tree.repositories;
  for (const std::string& folder : own_folders)
    if (std::ranges::find(ignored, folder + "/x") == ignored.end()) left.push_back(folder);
  return with_all_but(left, {"add", "--all"});
}

Status GitExchange::add_all(const WorkTree& tree) const {
  TRY(untrack_own());
  TRY(say(TRY(add_all_words(tree))));
  return {};
}

Result<std::string> GitExchange::commit_all(const std::string& message) const {
  const WorkTree tree = *TRY(work_tree());
  known_.tree.reset();
  // Somebody else's git may have moved them since.
  if (tree.differs || (known_.refs && (known_.refs->head != tree.head || known_.refs->branch != tree.branch))) known_.refs.reset();
  if (!tree.differs) return tree.head;
  TRY(add_all(tree));
  // Not behind a commit that was refused: the hook that did so may have emptied the index.
  const auto differs = TRY(ask({"diff", "--cached", "--quiet"}, {limits_.here}));
  if (differs.status == 0) return head();
  const auto done = TRY(ask_as_somebody({"commit", "--quiet", "-m", message}));
  if (done.status == 0) return head();
  return fail(ErrorCode::failed, "git does not commit what is in the vault: " + what_git_said(done),
              "'git commit' by hand says more; a hook may refuse it");
}

Result<std::string> GitExchange::commit_apart(const std::string& message) const {
  const path index = scratch_ / "apart.index";
  std::error_code ignored;
  std::filesystem::remove(index, ignored);
  const std::string before = TRY(head());
  const Words variables = {"GIT_INDEX_FILE=" + index.string()};
  const auto run = [&](Words words) -> Result<std::string> {
    auto answer = TRY(ask(words, {limits_.here, variables}));
    if (answer.status != 0) return git_failed(words.front(), answer);
    return first_line_of(answer.output);
  };
  if (!before.empty()) TRY(run({"read-tree", before}));
  TRY(run(untrack_own_words()));
  TRY(run(TRY(add_all_words(*TRY(work_tree())))));
  const std::string tree = TRY(run({"write-tree"}));
  std::filesystem::remove(index, ignored);
  if (!before.empty() && tree == TRY(line({"rev-parse", before + "^{tree}"}))) return before;
  return commit_tree(tree, before.empty() ? Words{} : Words{before}, message);
}

// --- the remote ---

Result<std::optional<std::string>> GitExchange::fetch(const GitUpstream& upstream) const {
  const auto answer =
      ask({"fetch", "--quiet", "--no-tags", "--no-auto-maintenance", upstream.remote, "+" + upstream.ref + ":" + incoming_ref},
          {limits_.network});
  if (!answer)
    return fail(ErrorCode::remote, "the remote '" + upstream.remote + "' does not answer: " + answer.error().message,
                "nothing was lost; try again later");
  if (answer->status != 0 && is_missing_branch(*answer)) return std::nullopt;
  if (answer->status != 0) return remote_failed(upstream.remote, *answer);
  known_.refs.reset();
  const auto& commits = TRY(refs())->loci;
  const auto came = commits.find(incoming_ref);
  if (came == commits.end()) return fail(ErrorCode::failed, "git does not say what it fetched from '" + upstream.remote + "'");
  return came->second;
}

Result<Words> GitExchange::branches(const std::string& remote) const {
  constexpr std::string_view heads = "refs/heads/";
  const auto answer = ask({"ls-remote", "--quiet", "--symref", remote, "HEAD", "refs/heads/*"}, {limits_.network});
  if (!answer)
    return fail(ErrorCode::remote, "the remote '" + remote + "' does not answer: " + answer.error().message,
                "nothing was lost; try again later");
  if (answer->status != 0) return remote_failed(remote, *answer);
  Words found;
  std::string own;
  for (const std::string& one : split_answer(answer->output, '\n')) {  // "ref: refs/heads/main\tHEAD", "1a2b…\trefs/heads/main"
    const size_t tab = std::min(one.find('\t'), one.size());
    const std::string_view first = std::string_view(one).substr(0, tab), name = std::string_view(one).substr(tab);
    if (first.starts_with("ref: refs/heads/")) own = first.substr(std::string_view("ref: refs/heads/").size());
    if (name.substr(std::min<size_t>(1, name.size())).starts_with(heads)) found.emplace_back(name.substr(1 + heads.size()));
  }
  if (const auto at = std::ranges::find(found, own); at != found.end()) std::rotate(found.begin(), at, at + 1);
  return found;
}

Result<std::string> GitExchange::marked(std::string_view marks) const {
  const std::string name = name_of_mark(marks, TRY(current_branch()));
  const auto& commits = TRY(refs())->loci;
  const auto found = commits.find(name);
  return found == commits.end() ? std::string() : found->second;
}

Status GitExchange::mark(std::string_view marks, const std::string& commit) const {
  if (TRY(marked(marks)) == commit) return {};
  const std::string name = name_of_mark(marks, TRY(current_branch()));
  TRY(say({"update-ref", name, commit}));
  known_.refs->loci[name] = commit;
  return {};
}

Result<std::string> GitExchange::exchanged() const { return marked(exchanged_refs); }

Result<std::string> GitExchange::taken_in() const { return marked(taken_in_refs); }

Status GitExchange::note_taken_in(const std::string& commit) const { return mark(taken_in_refs, commit); }

Status GitExchange::note_exchanged(const std::string& commit) const {
  for (const char* former : former_refs)
    if (TRY(refs())->loci.contains(former)) (void)ask({"update-ref", "-d", former}, {limits_.here});
  return mark(exchanged_refs, commit);
}

Result<Pushed> GitExchange::push(const GitUpstream& upstream, const std::string& commit) const {
  const auto answer =
      ask({"push", "--porcelain", "--no-follow-tags", upstream.remote, commit + ":" + upstream.ref}, {limits_.network});
  if (!answer)
    return fail(ErrorCode::remote, "the remote '" + upstream.remote + "' does not take it: " + answer.error().message,
                "nothing was lost; try again later");
  if (answer->status == 0) return Pushed::yes;
  // "!\t<from>:<to>\t[rejected] (fetch first)"
  for (const std::string& one : split_answer(answer->output, '\n')) {
    if (!one.starts_with('!')) continue;
    const bool raced = one.contains("[rejected]") || one.contains("cannot lock ref") || one.contains("failed to update ref");
    if (raced) return Pushed::behind;
    const std::string why = one.substr(std::min(one.rfind('\t') + 1, one.size()));
    return fail(ErrorCode::remote,
                "the remote '" + upstream.remote + "' does not take it: " + without_passwords(why) + "; " + what_git_said(*answer),
                "what was received is here all the same");
  }
  if (is_refused_here(*answer))
    return fail(ErrorCode::failed, "git does not push what is in the vault: " + what_git_said(*answer),
                "a hook of this repository (pre-push) refuses it: 'git push " + upstream.remote + "' by hand says more");
  return remote_failed(upstream.remote, *answer);
}

// --- what differs ---

Result<std::string> GitExchange::empty_tree() const { return line({"hash-object", "-t", "tree", "/dev/null"}); }

Result<std::string> GitExchange::cloned() const {
  const auto answer = TRY(ask({"rev-parse", "--quiet", "--verify", "@{upstream}^{commit}"}, {limits_.here}));
  return answer.status == 0 ? first_line_of(answer.output) : std::string();
}

Result<GitDifference> GitExchange::difference(const std::string& from, const std::string& to) const {
  GitDifference found;
  if (from == to) return found;
  const std::string base = from.empty() ? TRY(empty_tree()) : from;
  const Words files = split_answer(TRY(say({"diff-tree", "-r", "-z", "--name-only", "--no-renames", base, to})), '\0');
  found.files = files.size();
  if (std::ranges::none_of(files, [](const std::string& file) { return file.ends_with(".md"); })) return found;
  const auto lines =
      TRY(say({"diff-tree", "-r", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv", base, to, "--", "*.md"}));
  std::set<std::string> before;
  Words after;
  for (const std::string& one : split_answer(lines, '\n')) {
    if (one.starts_with("-<!--m ")) before.insert(one.substr(1));
    if (one.starts_with("+<!--m ")) after.push_back(one.substr(1));
  }
  found.entries = static_cast<size_t>(std::ranges::count_if(after, [&](const std::string& one) { return !before.contains(one); }));
  return found;
}

Result<GitDifference> GitExchange::not_exchanged() const {
  GitDifference found;
  std::set<std::string> files;
  std::string known = TRY(exchanged());
  const std::string now = TRY(head());
  if (known.empty()) known = TRY(cloned());
  if (known.empty()) known = TRY(empty_tree());
  if (!now.empty() && known != now)
    for (const std::string& one :
         split_answer(TRY(say({"diff-tree", "-r", "-z", "--name-only", "--no-renames", known, now})), '\0'))
      files.insert(one);
  for (const std::string& one : split_answer(TRY(say(with_all_but(own_folders, {"--no-optional-locks", "status", "--porcelain",
                                                                                "-z", "--no-renames", "--untracked-files=all"}))),
                                             '\0'))
    if (one.size() > 3 && !one.ends_with('/')) files.insert(one.substr(3));  // else another repository
  found.files = files.size();
  return found;
}

Result<std::vector<GitPeer>> GitExchange::peers() const {
  std::vector<GitPeer> peers;
  if (TRY(head()).empty()) return peers;
  const auto lines =
      TRY(say({"log", "--no-merges", "-n", peers_looked_at,
               std::string("--format=%ct%x09%an%x09%(trailers:key=") + host_trailer + ",valueonly,separator=%x20)"}));
  for (const std::string& one : split_answer(lines, '\n')) {
    const size_t first = one.find('\t'), second = one.find('\t', first + 1);
    if (second == std::string::npos) continue;
    GitPeer peer{one.substr(second + 1), one.substr(first + 1, second - first - 1), 0};
    std::from_chars(one.data(), one.data() + first, peer.seen);
    const auto same = [&](const GitPeer& other) {
      return other.host == peer.host && (!peer.host.empty() || other.name == peer.name);
    };
    const auto known = std::ranges::find_if(peers, same);
    if (known == peers.end())
      peers.push_back(std::move(peer));
    else
      known->seen = std::max(known->seen, peer.seen);
  }
  return peers;
}

Result<std::set<std::string>> GitExchange::hosts_between(const std::string& from, const std::string& to) const {
  const auto lines = TRY(say({"log", std::string("--format=%(trailers:key=") + host_trailer + ",valueonly)", from + ".." + to}));
  const Words hosts = split_answer(lines, '\n');
  return std::set<std::string>(hosts.begin(), hosts.end());
}

}  // namespace loci
