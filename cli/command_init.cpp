#include "cli/command.h"
#include "cli/git.h"
#include "edits/understand.h"
#include "sync/exchange.h"
#include "sync/registration.h"
#include "vault/rewrite/init.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec init_positionals[] = {{"DIR", ValueKind::folder, false}};
constexpr OptionSpec init_options[] = {{"--git", "", ValueKind::none, "also make it a git repository"}};

path folder_of(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const std::string named = words.empty() ? invocation.arguments.text("--vault") : words.front();
  return named.empty() ? invocation.environment.working_folder : invocation.environment.working_folder / named;
}

// Not in a repository that the vault is only a folder of: how that one merges is not loci's to say.
Status have_git_merge_by_loci(const Invocation& invocation, const path& root) {
  const auto vault = TRY(Vault::open(root, invocation.environment, invocation.files, invocation.clock));
  const auto git = TRY(git_of(vault));
  std::error_code error;
  if (git.check_ready()) TRY(register_driver(git, std::filesystem::read_symlink("/proc/self/exe", error).string()));
  return {};
}

// Of a vault that stands: a file that somebody renamed is known by its versions, and a new one of its name would be the newest.
// The files that are asked about now.
Result<std::set<std::string>> understand_what_stands(const Invocation& invocation, const path& root) {
  std::set<std::string> asked_about;
  std::error_code error;
  if (!std::filesystem::is_directory(root / ".loci", error)) return asked_about;
  auto memory = TRY(invocation.open_memory_at(root));
  TRY(understand_first(memory));
  for (const Question& question : TRY(waiting_questions(memory.vault()))) asked_about.insert(question.file);
  return asked_about;
}

Result<int> run_init(Invocation& invocation) {
  const path root = folder_of(invocation);
  const auto asked_about = TRY(understand_what_stands(invocation, root));
  const auto made = TRY(init_vault(root, invocation.environment, invocation.files, invocation.clock, asked_about));
  std::error_code error;
  for (const std::string& file : asked_about)
    if (!std::filesystem::exists(root / file, error))
      invocation.out.warn(file + " is gone, and is not made anew: 'loci resolve' asks whether that was meant");
  const bool repository = invocation.arguments.has("--git") && TRY(make_git_repository(root));
  if (invocation.arguments.has("--git")) TRY(have_git_merge_by_loci(invocation, root));
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
    init_positionals,
    init_options,
    run_init};

}  // namespace loci::cli
