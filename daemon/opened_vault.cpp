#include "daemon/opened_vault.h"

#include <sys/stat.h>

#include "base/lock_holder.h"
#include "http/client.h"
#include "vault/layout/socket_path.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds lock_patience{10'000};  // a command may be writing
constexpr milliseconds answer_patience{1'000};

bool another_daemon_answers(const Vault& vault, const Environment& environment) {
  return ask_daemon(find_daemon_socket(vault, environment), {"GET", "/healthz", {}}, answer_patience).has_value();
}

Error held_by_another(const Vault& vault, Error error) {
  const auto holder = holder_of_lock(vault.files(), vault.root());
  if (!holder) {  // a command that takes long, and ends: then trying again helps, which systemd does unless a daemon is the reason
    error.code = ErrorCode::failed;
    return error;
  }
  error.message = "the vault " + vault.root().string() + " is kept by process " + std::to_string(holder->pid) +
                  (holder->program.empty() ? "" : " (" + holder->program + ")");
  error.hint = "one daemon a vault is enough; stop the other one first";
  return error;
}

}  // namespace

std::string state_of_settings(const path& root, const Environment& environment) {
  std::string state;
  for (const path& file : {root / vault_config_name, environment.user_config_file()}) {
    struct stat info{};
    if (::stat(file.c_str(), &info) == 0)
      state += std::to_string(info.st_ino) + ' ' + std::to_string(info.st_size) + ' ' + std::to_string(info.st_mtim.tv_sec) + '.' +
               std::to_string(info.st_mtim.tv_nsec);
    state += ';';
  }
  return state;
}

Result<OpenedVault> OpenedVault::open(const path& root, const Environment& environment, FileSystem& files, const Clock& clock) {
  auto state = state_of_settings(root, environment);
  return OpenedVault{TRY(Vault::open(root, environment, files, clock)), std::move(state)};
}

Result<std::shared_ptr<IndexLoop>> open_index(const IndexLoop::Surroundings& surroundings, const Environment& environment) {
  const Vault& vault = surroundings.vault;
  auto opened = IndexLoop::open(surroundings, milliseconds(0));
  const auto is_locked = [&] { return !opened && opened.error().code == ErrorCode::locked; };
  if (is_locked() && !another_daemon_answers(vault, environment)) opened = IndexLoop::open(surroundings, lock_patience);
  if (!is_locked()) return opened;
  return std::unexpected(held_by_another(vault, opened.error()));
}

}  // namespace loci
