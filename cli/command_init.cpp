#include "cli/command.h"
#include "cli/git.h"
#include "vault/rewrite/init.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec positionals[] = {{"DIR", ValueKind::folder, false}};
constexpr OptionSpec options[] = {{"--git", "", ValueKind::none, "also make it a git repository"}};

path folder_of(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const std::string named = words.empty() ? invocation.arguments.text("--vault") : words.front();
  return named.empty() ? invocation.environment.working_folder : invocation.environment.working_folder / named;
}

Result<int> run(Invocation& invocation) {
  const path root = folder_of(invocation);
  const auto made = TRY(init_vault(root, invocation.environment, invocation.files, invocation.clock));
  bool repository = false;
  if (invocation.arguments.has("--git")) {
    auto initialised = TRY(make_git_repository(root));
    repository = initialised;
  }
  Output& out = invocation.out;
  if (out.json()) {
    Json value = Json::object();
    value.set("v", 1);
    value.set("vault", root.lexically_normal().string());
    value.set("made", made.made);
    value.set("existed", made.existed);
    value.set("git", repository);
    out.value(value);
    return 0;
  }
  for (const std::string& file : made.made) out.line("made " + printable(file));
  if (made.made.empty()) out.line("nothing to do: this is a vault already");
  if (repository) out.line("made a git repository");
  return 0;
}

}  // namespace

constinit const Command init_command = {
    "init",
    "Make a folder a vault",
    "Lays down the files of a new vault, never over an existing one. Without DIR: the working folder.",
    positionals,
    options,
    run};

}  // namespace loci::cli
