#include "cli/command.h"
#include "cli/drain.h"
#include "daemon/remote_keeper.h"
#include "edits/understand.h"
#include "vault/layout/socket_path.h"
#include "vault/rewrite/user_file.h"

namespace loci::cli {
namespace {

// A hand edit may pass the limit: then every command says so. A file of so few bytes cannot, and is not even read.
void warn_of_user_file(const Vault& vault, Output& out) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(vault.file(user_file_name), error);
  if (error || bytes <= user_file_limit) return;
  if (const auto use = user_file_use(vault); use && use->over_limit())
    out.warn("user.md is too long (" + use->summary() + "): what is behind the limit reaches no prompt");
}

}  // namespace

Result<Memory> Invocation::open_memory() const {
  return open_memory_at(TRY(find_vault(environment, files, arguments.text("--vault"))));
}

Result<Memory> Invocation::open_memory_at(const path& root) const {
  auto memory = TRY(Memory::open(root, environment, files, clock, [this](const Vault& vault) {
    return std::make_shared<RemoteKeeper>(find_daemon_socket(vault, environment));
  }));
  for (const Problem& warning : memory.vault().loaded_config().warnings)
    out.warn(warning.file + (warning.line > 0 ? ":" + std::to_string(warning.line) : "") + ": " + warning.message);
  warn_of_user_file(memory.vault(), out);
  take_in_spooled(memory);
  return memory;
}

Result<Memory> Invocation::open_memory_to_change() const {
  auto memory = TRY(open_memory());
  TRY(understand_first(memory));
  return memory;
}

Result<Memory> Invocation::open_memory_to_add() const {
  auto memory = TRY(open_memory());
  if (has_git_moved(memory.vault())) (void)understand(memory);  // what cannot be told now can be by the next command
  return memory;
}

Result<Memory> Invocation::open_fresh_memory(Freshness& freshness) const {
  auto memory = TRY(open_memory());
  const auto updated = memory.bring_up_to_date(out.progress());
  out.clear_progress();
  if (!updated) return std::unexpected(updated.error());
  freshness = *updated;
  warn_if_stale(freshness);
  return memory;
}

void Invocation::warn_if_stale(const Freshness& freshness) const {
  if (!freshness.fresh())
    out.warn(std::to_string(freshness.pending_files) + " changed files are not indexed yet: " + freshness.reason);
}

}  // namespace loci::cli
