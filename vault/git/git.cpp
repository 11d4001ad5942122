#include "vault/git/git.h"

#include <algorithm>
#include <array>

#include "vault/git/git_operation.h"

namespace loci {
namespace {

constexpr size_t line_limit = 4096;               // answers of a line or two
constexpr size_t file_limit = size_t{64} << 20;   // of one file in a commit
constexpr size_t diff_limit = size_t{256} << 20;  // of all lines that were added since
constexpr size_t texts_at_once = 500;             // a longer word is one that no command line takes
constexpr std::string_view mode_of_link = "120000";

// What a repository's own configuration could have git run, and what could make it wait or write. Its filters, text converters and
// drivers are switched off where they would count, by options of the commands.
const std::vector<std::string> careful = {
    "git",
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.sshCommand=false",
    "-c",
    "credential.helper=",
    "-c",
    "gc.auto=0",
    "-c",
    "log.showSignature=false",
    "-c",
    "maintenance.auto=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "submodule.recurse=false",
};

// A hook or another program may have told a git of its own where to look and how to behave: not this one. Which files the user's
// configuration is in stays.
std::vector<std::string> environment() {
  constexpr std::array kept = {"GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=", "GIT_EXEC_PATH="};
  constexpr std::array dropped = {"GIT_", "LC_", "LANG", "SSH_ASKPASS"};
  std::vector<std::string> variables = own_environment();
  std::erase_if(variables, [&](const std::string& variable) {
    const auto begins = [&](const char* start) { return variable.starts_with(start); };
    return std::ranges::any_of(dropped, begins) && std::ranges::none_of(kept, begins);
  });
  for (const char* ours : {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                           "GIT_ALLOW_PROTOCOL=none", "GIT_ASKPASS=false", "GIT_EDITOR=false", "GIT_ADVICE=0"})
    variables.emplace_back(ours);
  return variables;
}

// Any diff, whatever attributes and configuration say of it.
const std::vector<std::string> plain_diff = {"--no-ext-diff", "--no-textconv", "--no-renames",
                                             "--no-color",    "--text",        "--ignore-submodules=all"};

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::unexpected<Error> refusal(const std::vector<std::string>& words, const ProgramAnswer& answer) {
  return fail(ErrorCode::failed,
              "'git " + words.front() + "' ended with status " + std::to_string(answer.status) + ": " + first_line(answer.errors),
              "see what 'git status' says in the vault's folder");
}

bool is_commit_name(std::string_view name) {
  return name == "HEAD" || name.starts_with("refs/heads/") ||
         ((name.size() == 40 || name.size() == 64) && name.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t end = text.find(separator); !text.empty(); end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end == std::string_view::npos ? text.size() : end + 1));
  }
  return parts;
}

std::string literal(const std::string& file) { return ":(literal)" + file; }

// A POSIX extended expression for any of the texts.
std::string any_of(const std::set<std::string>& texts) {
  std::string expression;
  for (const std::string& text : texts) {
    if (!expression.empty()) expression += '|';
    for (const char c : text) {
      if (std::string_view(R"(\^$.[]|()*+?{})").contains(c)) expression += '\\';
      expression += c;
    }
  }
  return expression;
}

void find_in_added_lines(std::string_view diff, const std::set<std::string>& texts, std::set<std::string>& found) {
  for (const std::string& text : texts)
    for (size_t at = diff.find(text); at != std::string_view::npos; at = diff.find(text, at + 1)) {
      const size_t line_end = at == 0 ? std::string_view::npos : diff.rfind('\n', at - 1);
      if (diff[line_end == std::string_view::npos ? 0 : line_end + 1] != '+') continue;
      found.insert(text);
      break;
    }
}

// In parts that a command line takes.
std::vector<std::set<std::string>> parts_of(const std::set<std::string>& texts) {
  std::vector<std::set<std::string>> parts;
  for (const std::string& text : texts) {
    if (parts.empty() || parts.back().size() == texts_at_once) parts.emplace_back();
    parts.back().insert(text);
  }
  return parts;
}

}  // namespace

Result<ProgramAnswer> Git::ask(std::vector<std::string> words, size_t output_limit) const {
  AskedProgram program{.words = careful + std::vector<std::string>{"-C", root_.string()} + words,
                       .environment = environment(),
                       .time_limit = time_limit_,
                       .output_limit = output_limit};
  return ask_program(program);
}

Result<std::string> Git::say(std::vector<std::string> words, size_t output_limit) const {
  auto answer = TRY(ask(words, output_limit));
  if (answer.status != 0) return refusal(words, answer);
  return std::move(answer.output);
}

Status Git::check_nothing_moved(const std::string& fingerprint) const {
  if (git_operation_around(root_) || git_fingerprint_around(root_) != fingerprint)
    return fail(ErrorCode::locked, "git is at work in " + root_.string(), "ask again when it has finished");
  return {};
}

// Of those that are well-formed, which the repository does not have: only looked for if something failed.
Status Git::find_commits(const std::vector<std::string>& commits) const {
  for (const std::string& commit : commits) {
    const std::vector<std::string> words = {"rev-parse", "--quiet", "--verify", commit + "^{commit}"};
    const auto answer = TRY(ask(words, line_limit));
    if (answer.status == 1) return fail(ErrorCode::not_found, "git has no commit " + commit);
    if (answer.status != 0) return refusal(words, answer);
  }
  return {};
}

Status Git::check_commits(const std::vector<std::string>& commits) const {
  for (const std::string& commit : commits)
    if (!is_commit_name(commit)) return fail(ErrorCode::usage, "'" + commit + "' is no name of a commit");
  if (git_folder_around(root_).empty()) return fail(ErrorCode::not_found, root_.string() + " is in no git repository");
  return {};
}

Result<GitPosition> Git::ask_position() const {
  GitPosition position;
  const auto refs = TRY(say({"for-each-ref", "--format=%(HEAD)%(objectname) %(refname)", "refs/heads", "refs/stash"}));
  for (const std::string& line : split(refs, '\n')) {
    const size_t space = line.find(' ', 1);
    if (space == std::string::npos) continue;
    const std::string commit = line.substr(1, space - 1), name = line.substr(space + 1);
    if (name == "refs/stash") position.stash = commit;
    if (line.front() == '*') position.branch = name, position.commit = commit;
  }
  if (!position.commit.empty()) return position;
  const auto commit = TRY(ask({"rev-parse", "--quiet", "--verify", "HEAD^{commit}"}, line_limit));
  if (commit.status == 0) {
    position.commit = first_line(commit.output);
    return position;
  }
  position.branch = first_line(TRY(say({"symbolic-ref", "--quiet", "HEAD"}, line_limit)));  // one without a commit yet
  return position;
}

Result<std::optional<GitPosition>> Git::position() {
  const std::string fingerprint = git_fingerprint_around(root_);
  if (fingerprint.empty()) return std::nullopt;
  const auto known = known_.with([&](const std::optional<Known>& last) {
    return last && last->fingerprint == fingerprint ? std::optional(last->position) : std::nullopt;
  });
  if (known) return known;
  auto position = TRY(ask_position());
  if (git_fingerprint_around(root_) != fingerprint)
    return fail(ErrorCode::locked, "git is at work in " + root_.string(), "ask again when it has finished");
  known_.with([&](std::optional<Known>& last) { last = Known{fingerprint, position}; });
  return position;
}

Result<std::optional<std::string>> Git::merge_base(const std::string& one, const std::string& other) const {
  TRY(check_commits({one, other}));
  const auto answer = TRY(ask({"merge-base", one, other}, line_limit));
  if (answer.status == 0) return first_line(answer.output);
  TRY(find_commits({one, other}));
  if (answer.status == 1) return std::nullopt;
  return refusal({"merge-base"}, answer);
}

Result<bool> Git::is_ancestor(const std::string& commit, const std::string& of) const {
  TRY(check_commits({commit, of}));
  const auto answer = TRY(ask({"merge-base", "--is-ancestor", commit, of}, line_limit));
  if (answer.status == 0) return true;
  TRY(find_commits({commit, of}));
  if (answer.status == 1) return false;
  return refusal({"merge-base"}, answer);
}

Result<std::optional<std::string>> Git::file_at(const std::string& commit, const std::string& file) const {
  TRY(check_commits({commit}));
  const std::vector<std::string> words = {"ls-tree", "-z", commit, "--", literal(file)};
  const auto answer = TRY(ask(words, line_limit + file.size()));
  if (answer.status != 0) {
    TRY(find_commits({commit}));
    return refusal(words, answer);
  }
  // "<mode> <type> <name of the object>\t<file>"
  const auto fields = split(answer.output.substr(0, answer.output.find('\t')), ' ');
  if (fields.size() != 3 || fields[1] != "blob" || fields[0] == mode_of_link) return std::nullopt;
  return say({"cat-file", "blob", fields[2]}, file_limit);
}

Result<std::vector<std::string>> Git::files_between(const std::string& from, const std::string& to) const {
  TRY(check_commits({from, to}));
  const auto words = std::vector<std::string>{"diff-tree", "-r", "-z", "--name-only", "--relative"} + plain_diff +
                     std::vector<std::string>{from, to, "--", "."};
  const auto answer = TRY(ask(words, file_limit));
  if (answer.status == 0) return split(answer.output, '\0');
  TRY(find_commits({from, to}));
  return refusal(words, answer);
}

Result<bool> Git::has_file(const std::string& file) const {
  const std::string fingerprint = git_fingerprint_around(root_);
  if (fingerprint.empty()) return false;
  TRY(check_nothing_moved(fingerprint));
  const bool is_in_index = !TRY(say({"ls-files", "-z", "--", literal(file)})).empty();
  const bool is_found =
      is_in_index ||
      !TRY(say(std::vector<std::string>{"log", "--all", "--reflog", "--diff-merges=separate", "--root", "-1", "--format=%H"} +
               std::vector<std::string>{"--", literal(file)}))
           .empty();
  TRY(check_nothing_moved(fingerprint));
  return is_found;
}

Result<std::set<std::string>> Git::held(const std::set<std::string>& texts, const std::string& since) const {
  std::set<std::string> found;
  const std::string fingerprint = git_fingerprint_around(root_);
  if (fingerprint.empty() || texts.empty()) return found;
  TRY(check_nothing_moved(fingerprint));
  for (const std::set<std::string>& part : parts_of(texts)) {
    const auto lines = plain_diff + std::vector<std::string>{"-U0", "-G" + any_of(part), "--", ":(glob)**/*.md"};
    find_in_added_lines(TRY(say(std::vector<std::string>{"diff", "--cached"} + lines, diff_limit)), part, found);
    std::vector<std::string> log = {"log", "--all", "--reflog", "--ignore-missing", "--diff-merges=separate", "--format="};
    if (is_commit_name(since)) log.push_back('^' + since);
    find_in_added_lines(TRY(say(log + lines, diff_limit)), part, found);
  }
  TRY(check_nothing_moved(fingerprint));
  return found;
}

}  // namespace loci
