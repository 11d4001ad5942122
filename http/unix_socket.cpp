#include "http/unix_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace loci {
namespace {

// A name as an address. Holds the folder's descriptor where the address goes through it: sun_path has 108 bytes, a path more.
struct Address {
  sockaddr_un unix_address{};
  Fd folder;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&unix_address); }
  socklen_t size() const { return sizeof unix_address; }
};

Result<Address> address_of(const path& name) {
  Address address;
  address.unix_address.sun_family = AF_UNIX;
  std::string text = name.string();
  if (text.size() >= sizeof address.unix_address.sun_path) {
    const std::string folder = name.parent_path().string();
    address.folder = Fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!address.folder) return fail_errno("open", folder, errno);
    text = "/proc/self/fd/" + std::to_string(address.folder.get()) + '/' + name.filename().string();
  }
  if (text.size() >= sizeof address.unix_address.sun_path || text.empty())
    return fail(ErrorCode::usage, "a socket cannot have the name " + name.string(), "its last part may have 80 characters");
  std::memcpy(address.unix_address.sun_path, text.c_str(), text.size() + 1);
  return address;
}

Fd new_socket(int flags) { return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0)); }

// 0, or the error number.
int connect_once(const Fd& fd, const Address& address) {
  return ::connect(fd.get(), address.get(), address.size()) == 0 ? 0 : errno;
}

// Takes a name that is left over from a process that died out of the way.
Status clear_name(const path& name, const Address& address) {
  struct stat found{};
  if (::lstat(name.c_str(), &found) != 0) return errno == ENOENT ? Status() : fail_errno("look at", name.string(), errno);
  if (!S_ISSOCK(found.st_mode))
    return fail(ErrorCode::refused, name.string() + " is no socket", "move it away: the daemon listens under that name");
  const Fd probe = new_socket(SOCK_NONBLOCK);
  if (!probe) return fail_errno("make a socket for", name.string(), errno);
  // Also EAGAIN: somebody listens, and has more callers than can wait.
  if (const int error = connect_once(probe, address); error != ECONNREFUSED && error != ENOENT)
    return fail(ErrorCode::refused, "another process listens on " + name.string(), "stop it first, or ask it");
  if (::unlink(name.c_str()) != 0 && errno != ENOENT) return fail_errno("remove", name.string(), errno);
  return {};
}

void set_patience(const Fd& fd, std::chrono::milliseconds patience) {
  timeval limit{};
  limit.tv_sec = patience.count() / 1000;
  limit.tv_usec = patience.count() % 1000 * 1000;
  if (patience.count() <= 0) limit.tv_usec = 1;  // zero would be for ever
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

}  // namespace

Status check_socket_folder(const path& folder, uid_t user) {
  struct stat info{};
  if (::lstat(folder.c_str(), &info) != 0) {
    auto failure = fail_errno("look at", folder.string(), errno);
    if (errno == ENOENT || errno == ENOTDIR) failure.error().code = ErrorCode::not_found;
    return failure;
  }
  if (!S_ISDIR(info.st_mode))
    return fail(ErrorCode::refused, folder.string() + " is no folder", "remove it: the daemon's socket is made there");
  if (info.st_uid != user && info.st_uid != 0)
    return fail(ErrorCode::refused, folder.string() + " belongs to another user, the daemon's socket is not looked for there",
                "set XDG_RUNTIME_DIR to a folder of your own");
  if ((info.st_mode & S_IWOTH) != 0)
    return fail(ErrorCode::refused, "everybody may write into " + folder.string() + ", the daemon's socket is not looked for there",
                "chmod 700 it");
  return {};
}

Result<ListeningSocket> listen_on_unix_socket(const path& name) {
  TRY(make_folders(real_file_system(), name.parent_path()));
  TRY(check_socket_folder(name.parent_path(), ::geteuid()));
  const auto address = TRY(address_of(name));
  TRY(clear_name(name, address));
  ListeningSocket socket{new_socket(SOCK_NONBLOCK)};
  if (!socket.fd) return fail_errno("make a socket for", name.string(), errno);
  // Linux gives the file the mode of the unbound socket, so nobody can connect in between.
  if (::fchmod(socket.fd.get(), 0600) != 0 || ::bind(socket.fd.get(), address.get(), address.size()) != 0 ||
      ::listen(socket.fd.get(), SOMAXCONN) != 0)
    return fail_errno("listen on", name.string(), errno);
  struct stat made{};
  if (::lstat(name.c_str(), &made) != 0) return fail_errno("look at", name.string(), errno);
  socket.device = made.st_dev;
  socket.inode = made.st_ino;
  return socket;
}

void remove_unix_socket(const path& name, const ListeningSocket& socket) {
  struct stat found{};
  if (::lstat(name.c_str(), &found) == 0 && found.st_dev == socket.device && found.st_ino == socket.inode) ::unlink(name.c_str());
}

Result<Fd> connect_to_unix_socket(const path& name, std::chrono::milliseconds patience) {
  const auto nobody = [&] { return fail(ErrorCode::not_found, "nobody listens on " + name.string()); };
  if (auto folder = check_socket_folder(name.parent_path(), ::geteuid()); !folder)
    return std::unexpected(folder.error().code == ErrorCode::not_found ? nobody().error() : folder.error());
  const auto address = address_of(name);
  if (!address) return std::unexpected(address.error().code == ErrorCode::not_found ? nobody().error() : address.error());
  Fd fd = new_socket(0);
  if (!fd) return fail_errno("make a socket for", name.string(), errno);
  set_patience(fd, patience);
  int error = connect_once(fd, *address);
  while (error == EINTR) error = connect_once(fd, *address);
  if (error == ENOENT || error == ECONNREFUSED || error == ENOTDIR || error == ENOTSOCK) return nobody();
  if (error == EAGAIN) return fail(ErrorCode::remote, name.string() + " has more callers than it can take", "try again");
  if (error != 0) return fail_errno("connect to", name.string(), error);
  return fd;
}

bool peer_is_trusted(const Fd& connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == ::geteuid() || peer.uid == 0;
}

}  // namespace loci
