// Unix sockets by name, of any length: a name that does not fit into a socket address is reached through its folder. System calls
// only; any thread.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/fd.h"
#include "base/file_system.h"
#include "base/result.h"

namespace loci {

// A listening socket and the file that it made, to remove that and no other one.
struct ListeningSocket {
  Fd fd;  // does not block
  dev_t device = 0;
  ino_t inode = 0;
};

// Only a folder of `user` or of root, into which not everybody may write, is one to listen or to ask in: whoever made it could put
// a socket of his own there. ErrorCode::refused if it is another one; ErrorCode::not_found if there is none.
Status check_socket_folder(const path& folder, uid_t user);

// Listens under that name, mode 0600 from the start; makes its folder. A socket that nobody listens on any more is replaced;
// ErrorCode::refused for one that somebody does, and for anything that is no socket.
Result<ListeningSocket> listen_on_unix_socket(const path& name);

// Removes the name if it still is this socket's.
void remove_unix_socket(const path& name, const ListeningSocket& socket);

// A connection that blocks for at most `patience` in any one call. ErrorCode::not_found if nobody listens there.
Result<Fd> connect_to_unix_socket(const path& name, std::chrono::milliseconds patience);

// Does the process at the other end belong to our user, or to root?
bool peer_is_trusted(const Fd& connection);

}  // namespace loci
