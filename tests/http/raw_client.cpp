#include "tests/http/raw_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace loci {
namespace {

constexpr timeval patience{10, 0};

Fd connect_to(int family, const sockaddr* address, socklen_t size) {
  Fd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return ::connect(fd.get(), address, size) == 0 ? std::move(fd) : Fd();
}

size_t content_length(std::string_view headers) {
  constexpr std::string_view name = "Content-Length: ";
  const size_t at = headers.find(name);
  size_t length = 0;
  if (at != std::string_view::npos) std::from_chars(headers.data() + at + name.size(), headers.data() + headers.size(), length);
  return length;
}

}  // namespace

RawClient RawClient::on_unix_socket(const path& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
  return RawClient(connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

RawClient RawClient::on_loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return RawClient(connect_to(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

bool RawClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool RawClient::read_more() {
  char chunk[64 << 10];
  const ssize_t count = ::recv(fd_.get(), chunk, sizeof chunk, 0);
  if (count > 0) pending_.append(chunk, static_cast<size_t>(count));
  return count > 0;
}

std::string RawClient::read_headers() {
  size_t end = pending_.find("\r\n\r\n");
  while (end == std::string::npos && read_more()) end = pending_.find("\r\n\r\n");
  std::string headers = pending_.substr(0, end == std::string::npos ? end : end + 4);
  pending_.erase(0, headers.size());
  return headers;
}

std::string RawClient::read_response() {
  std::string response = read_headers();
  const size_t length = content_length(response);
  while (pending_.size() < length && read_more()) continue;
  const size_t available = std::min(length, pending_.size());
  response += pending_.substr(0, available);
  pending_.erase(0, available);
  return response;
}

bool RawClient::is_closed() {
  if (!pending_.empty()) return false;
  char byte = 0;
  const ssize_t count = ::recv(fd_.get(), &byte, 1, 0);
  return count == 0 || (count < 0 && errno == ECONNRESET);
}

int status_of(std::string_view response) {
  constexpr std::string_view version = "HTTP/1.1 ";
  int status = 0;
  if (response.starts_with(version)) std::from_chars(response.data() + version.size(), response.data() + response.size(), status);
  return status;
}

}  // namespace loci
