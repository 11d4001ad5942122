#include "http/tcp_listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>

namespace loci {
namespace {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  bool loopback = false;
  std::string host;

  sockaddr_in& v4() { return reinterpret_cast<sockaddr_in&>(storage); }
  sockaddr_in6& v6() { return reinterpret_cast<sockaddr_in6&>(storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

std::unexpected<Error> no_address(std::string_view text) {
  return fail(ErrorCode::usage, "'" + std::string(text) + "' is no address to listen on",
              "write it like 127.0.0.1:7777 or [::1]:7777");
}

bool read_v6(const std::string& host, std::uint16_t port, Address& address) {
  if (host.size() < 2 || host.front() != '[' || host.back() != ']') return false;
  if (::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &address.v6().sin6_addr) != 1) return false;
  address.v6().sin6_family = AF_INET6;
  address.v6().sin6_port = htons(port);
  address.size = sizeof(sockaddr_in6);
  address.loopback = IN6_IS_ADDR_LOOPBACK(&address.v6().sin6_addr);
  return true;
}

bool read_v4(const std::string& host, std::uint16_t port, Address& address) {
  if (::inet_pton(AF_INET, host.c_str(), &address.v4().sin_addr) != 1) return false;
  address.v4().sin_family = AF_INET;
  address.v4().sin_port = htons(port);
  address.size = sizeof(sockaddr_in);
  address.loopback = ntohl(address.v4().sin_addr.s_addr) >> 24 == 127;
  return true;
}

Result<Address> read_address(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return no_address(text);
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return no_address(text);
  Address address;
  address.host = text.substr(0, colon);
  if (address.host == "localhost") address.host = "127.0.0.1";
  if (!read_v6(address.host, port, address) && !read_v4(address.host, port, address)) return no_address(text);
  return address;
}

std::uint16_t bound_port(const Fd& fd) {
  Address bound;
  bound.size = sizeof bound.storage;
  if (::getsockname(fd.get(), bound.get(), &bound.size) != 0) return 0;
  return ntohs(bound.storage.ss_family == AF_INET6 ? bound.v6().sin6_port : bound.v4().sin_port);
}

}  // namespace

Result<TcpListener> listen_on_tcp(std::string_view text, bool insecure) {
  auto address = TRY(read_address(text));
  if (!address.loopback && !insecure)
    return fail(ErrorCode::refused, std::string(text) + " can be reached from other machines, without encryption",
                "listen on 127.0.0.1, or put TLS in front and set insecure = true under [http]");
  TcpListener listener{Fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), 0, address.host};
  if (!listener.fd) return fail_errno("make a socket for", text, errno);
  const int on = 1;
  ::setsockopt(listener.fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.storage.ss_family == AF_INET6) ::setsockopt(listener.fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(listener.fd.get(), address.get(), address.size) != 0 || ::listen(listener.fd.get(), SOMAXCONN) != 0)
    return fail_errno("listen on", text, errno);
  listener.port = bound_port(listener.fd);
  return listener;
}

}  // namespace loci
