// Where a vault's daemon listens, so that commands find it.
#pragma once

#include <string_view>
#include <vector>

#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

// Where a daemon of this process makes its socket: <runtime folder>/loci/<vault id>.sock; without a runtime folder, `daemon.sock`
// in the vault's state folder.
path daemon_socket(const Vault& vault, const Environment& environment);

// `daemon.sock` in the vault's state folder: the socket, or a link to where the daemon made it.
path socket_in_state(const Vault& vault);

// Where the vault's daemon has its socket: there, or in the user's /run/user/UID, or in the state folder. Agents start their
// servers and hooks without some of the variables that a shell has, and so does cron. The one of these that somebody listens on, or
// else, while a daemon holds the vault's lock, whichever runtime folder of another environment has it; else the first that exists;
// none: as daemon_socket.
path find_daemon_socket(const Vault& vault, const Environment& environment);

// The names in the text of /proc/net/unix that somebody listens on. Pure.
std::vector<path> listening_sockets(std::string_view proc_net_unix);

}  // namespace loci
