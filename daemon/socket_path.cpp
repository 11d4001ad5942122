#include "daemon/socket_path.h"

namespace loci {

path daemon_socket(const Vault& vault, const Environment& environment) {
  if (environment.runtime.empty()) return vault.state_folder() / "daemon.sock";
  return environment.runtime / "loci" / (vault.id() + ".sock");
}

}  // namespace loci
