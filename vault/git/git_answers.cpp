#include "vault/git/git_answers.h"

#include <algorithm>
#include <array>

namespace loci {
namespace {

constexpr std::string_view not_pushed = "error: failed to push some refs";

}  // namespace

std::string without_passwords(std::string text) {
  for (size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const size_t end = text.find_first_of("/ \n'\"", at + 3), sign = text.rfind('@', end);
    if (sign != std::string::npos && sign > at + 2) text.erase(at + 3, sign - at - 2);
  }
  return text;
}

std::string what_git_said(const ProgramAnswer& answer) {
  std::string best;
  for (const std::string& line : split_answer(answer.errors, '\n')) {
    if (line.starts_with(not_pushed) && !best.empty()) continue;  // says nothing of why
    const bool tells =
        line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("remote:") || line.starts_with("ERROR");
    if (best.empty() || (tells && !best.starts_with("fatal:"))) best = line;
  }
  return without_passwords(best);
}

std::vector<std::string> git_environment(const std::vector<std::string>& more) {
  constexpr std::array dropped = {"GIT_DIR=",
                                  "GIT_WORK_TREE=",
                                  "GIT_INDEX_FILE=",
                                  "GIT_PREFIX=",
                                  "GIT_NAMESPACE=",
                                  "GIT_OBJECT_DIRECTORY=",
                                  "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
                                  "GIT_COMMON_DIR=",
                                  "GIT_EDITOR=",
                                  "GIT_ASKPASS=",
                                  "GIT_TRACE",
                                  "GIT_CONFIG_PARAMETERS=",
                                  "GIT_CONFIG_COUNT=",
                                  "GIT_TERMINAL_PROMPT=",
                                  "GIT_MERGE_AUTOEDIT=",
                                  "GIT_REFLOG_ACTION=",
                                  "GIT_LITERAL_PATHSPECS=",
                                  "SSH_ASKPASS",
                                  "LC_",
                                  "LANG"};
  std::vector<std::string> variables = own_environment();
  std::erase_if(variables, [&](const std::string& variable) {
    return std::ranges::any_of(dropped, [&](const char* start) { return variable.starts_with(start); });
  });
  for (const char* ours : {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "SSH_ASKPASS=false",
                           "SSH_ASKPASS_REQUIRE=never", "GIT_EDITOR=false", "GIT_ADVICE=0", "GIT_MERGE_AUTOEDIT=no"})
    variables.emplace_back(ours);
  variables.insert(variables.end(), more.begin(), more.end());
  return variables;
}

std::vector<std::string> split_answer(std::string_view text, char end) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t at = std::min(text.find(end), text.size());
    if (at > 0) parts.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

std::string first_line_of(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::unexpected<Error> git_failed(const std::string& what, const ProgramAnswer& answer) {
  return fail(ErrorCode::failed,
              "'git " + what + "' ended with status " + std::to_string(answer.status) + ": " + what_git_said(answer),
              "run it by hand to see more");
}

std::unexpected<Error> remote_failed(const std::string& remote, const ProgramAnswer& answer) {
  const std::string& errors = answer.errors;
  const auto says = [&](std::string_view words) { return errors.contains(words); };
  std::string hint = "try 'git fetch " + remote + "' by hand";
  if (says("could not read Username") || says("could not read Password") || says("Authentication failed") ||
      says("terminal prompts disabled"))
    hint = "it wants a password: 'git fetch " + remote + "' once by hand, with a credential helper that keeps it";
  else if (says("Permission denied (") || says("Host key verification failed"))
    hint = "ssh cannot log in without asking: an agent or a key without a passphrase, and 'ssh' to that host once by hand";
  else if (says("does not appear to be a git repository") || says("Repository not found") || says("not found"))
    hint = "'git remote -v' shows the address";
  return fail(ErrorCode::remote, "the remote '" + remote + "' does not answer: " + what_git_said(answer), hint);
}

bool is_refused_here(const ProgramAnswer& answer) {
  return answer.errors.contains(not_pushed) && !answer.errors.contains("fatal:") && !answer.errors.contains("remote:");
}

bool is_missing_branch(const ProgramAnswer& answer) { return answer.errors.contains("couldn't find remote ref"); }

}  // namespace loci
