#include "vault/layout/socket_path.h"

namespace loci {
namespace {

path below_runtime(const path& runtime, const Vault& vault) { return runtime / "loci" / (vault.id() + ".sock"); }

path below_state(const Vault& vault) { return vault.state_folder() / "daemon.sock"; }

}  // namespace

path daemon_socket(const Vault& vault, const Environment& environment) {
  return environment.runtime.empty() ? below_state(vault) : below_runtime(environment.runtime, vault);
}

path find_daemon_socket(const Vault& vault, const Environment& environment) {
  std::error_code error;
  for (const path& runtime : {environment.runtime, environment.user_runtime})
    if (!runtime.empty() && std::filesystem::exists(below_runtime(runtime, vault), error)) return below_runtime(runtime, vault);
  if (std::filesystem::exists(below_state(vault), error)) return below_state(vault);
  return daemon_socket(vault, environment);
}

}  // namespace loci
