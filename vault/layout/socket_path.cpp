#include "vault/layout/socket_path.h"

#include <algorithm>
#include <cstdio>

#include "base/lock_holder.h"

namespace loci {
namespace {

path below_runtime(const path& runtime, const Vault& vault) { return runtime / "loci" / (vault.id() + ".sock"); }

// Where somebody listens whose variables are others: a name that only this vault's daemon takes.
std::optional<path> elsewhere(const Vault& vault, const std::vector<path>& listening) {
  const auto found = std::ranges::find_if(listening, [name = below_runtime({}, vault)](const path& socket) {
    return socket.is_absolute() && socket.filename() == name.filename() && socket.parent_path().filename() == name.parent_path();
  });
  return found == listening.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

path socket_in_state(const Vault& vault) { return vault.state_folder() / "daemon.sock"; }

path daemon_socket(const Vault& vault, const Environment& environment) {
  return environment.runtime.empty() ? socket_in_state(vault) : below_runtime(environment.runtime, vault);
}

std::vector<path> listening_sockets(std::string_view proc_net_unix) {
  constexpr unsigned accepts = 0x10000;
  std::vector<path> sockets;
  for (size_t begin = 0; begin < proc_net_unix.size();) {
    const size_t end = std::min(proc_net_unix.find('\n', begin), proc_net_unix.size());
    const std::string line(proc_net_unix.substr(begin, end - begin));
    begin = end + 1;
    unsigned flags = 0;
    int name = 0;
    if (std::sscanf(line.c_str(), "%*x: %*x %*x %x %*x %*x %*u %n", &flags, &name) != 1 || name == 0 ||
        static_cast<size_t>(name) >= line.size())
      continue;
    if ((flags & accepts) != 0) sockets.emplace_back(line.substr(static_cast<size_t>(name)));
  }
  return sockets;
}

path find_daemon_socket(const Vault& vault, const Environment& environment) {
  std::vector<path> known;
  for (const path& runtime : {environment.runtime, environment.user_runtime})
    if (!runtime.empty()) known.push_back(below_runtime(runtime, vault));
  known.push_back(socket_in_state(vault));
  const auto sockets = read_file(vault.files(), "/proc/net/unix");
  const auto listening = sockets ? listening_sockets(*sockets) : std::vector<path>();
  for (const path& socket : known)
    if (std::ranges::find(listening, socket) != listening.end()) return socket;
  // Last, as the kernel takes some 10 ms to say who holds a lock.
  if (const auto other = elsewhere(vault, listening); other && holder_of_lock(vault.files(), vault.root())) return *other;
  std::error_code error;
  for (const path& socket : known)
    if (std::filesystem::exists(socket, error)) return socket;
  return daemon_socket(vault, environment);
}

}  // namespace loci
