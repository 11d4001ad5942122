#include "cli/surroundings.h"

#include <unistd.h>

#include <ranges>

#include "agents/connect.h"
#include "agents/hook_call.h"
#include "operations/parameter.h"
#include "vault/git/git.h"

namespace loci::cli {
namespace {

bool can_be_run(const std::string& program, const std::string& search_path) {
  if (program.contains('/')) return ::access(program.c_str(), X_OK) == 0;
  for (const auto folder : std::views::split(search_path, ':'))
    if (::access((path(folder.begin(), folder.end()) / program).c_str(), X_OK) == 0) return true;
  return false;
}

void look_at_file(const Vault& vault, std::string_view agent, const AgentFile& file, const std::string& search_path,
                  std::vector<Problem>& problems) {
  const auto text = read_file_if_any(vault.files(), file.file);
  const auto words = text && *text ? file.words(**text) : std::nullopt;
  std::error_code error;
  if (!words || words->empty() || !std::filesystem::equivalent(vault_in_words(*words), vault.root(), error)) return;
  const std::string& program = words->front();
  if (can_be_run(program, search_path)) return;
  problems.push_back({file.file.string(), 0, "program-gone",
                      "calls " + program + ", which is not " + (program.contains('/') ? "there" : "in $PATH") +
                          " or cannot be run: 'loci connect " + std::string(agent) + "' has it call the program that you run now"});
}

}  // namespace

void add_problems_of_surroundings(const Vault& vault, const Environment& environment, std::vector<Problem>& problems) {
  const std::string search_path = environment.variable ? environment.variable("PATH").value_or("") : "";
  for (const std::string_view agent : choices_of(ValueKind::agent))
    if (const auto setup = agent_setup(agent, false, {}, environment))
      for (const AgentFile& file : setup->files) look_at_file(vault, agent, file, search_path, problems);
  std::error_code error;
  if (!std::filesystem::exists(vault.root() / ".git", error)) return;
  const auto position = Git(vault.root()).position();
  if (position || position.error().code != ErrorCode::failed) return;
  const Error& why = position.error();
  problems.push_back(
      {".git", 0, "git", "git cannot be asked about this repository: " + why.message + (why.hint.empty() ? "" : "; " + why.hint)});
}

}  // namespace loci::cli
