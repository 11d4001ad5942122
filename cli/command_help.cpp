#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec help_positionals[] = {{"COMMAND", ValueKind::command, false, true}};
constexpr PositionalSpec completion_positionals[] = {{"SHELL", ValueKind::shell, true}};
constexpr PositionalSpec complete_positionals[] = {{"WHAT", ValueKind::text, true}, {"PREFIX", ValueKind::text, false}};

Result<int> run_help(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) {
    invocation.out.write(overview_text());
    return 0;
  }
  const Command* command = find_command(words.front());
  if (!command) return fail(ErrorCode::usage, "there is no command '" + words.front() + "'", "'loci help' lists the commands");
  invocation.out.write(help_text(*command));
  return 0;
}

Result<int> run_completion(Invocation& invocation) {
  invocation.out.write(completion_script(invocation.arguments.positionals().front()));
  return 0;
}

// For the scripts: one value a line, with a tab and what it is about behind it; nothing at all if there is no vault. Answers from
// the index as it is, so that a key press never waits.
Result<int> run_complete(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  auto memory = invocation.open_memory();
  if (!memory) return 0;
  const auto values = completion_values(*memory, words[0], words.size() > 1 ? words[1] : std::string());
  for (const auto& [value, about] : values) invocation.out.line(printable(value) + (about.empty() ? "" : "\t" + printable(about)));
  return 0;
}

}  // namespace

constinit const Command help_command = {"help", "Say what a command does and takes", "", help_positionals, {}, run_help};
constinit const Command completion_command = {
    "completion",
    "Print the completion script of a shell",
    "bash: eval \"$(loci completion bash)\"   zsh: loci completion zsh > a folder of $fpath/_loci\n"
    "fish: loci completion fish > ~/.config/fish/completions/loci.fish",
    completion_positionals,
    {},
    run_completion};
constinit const Command complete_command = {
    "__complete", "Values for the completion scripts", "", complete_positionals, {}, run_complete, true};

}  // namespace loci::cli
