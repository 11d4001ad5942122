#include "http/acceptor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "http/unix_socket.h"

namespace loci {
namespace {

constexpr size_t accepts_at_once = 16;  // then the connections get their turn
constexpr std::chrono::milliseconds accept_pause{50};
constexpr std::chrono::minutes complaint_interval{1};

bool is_out_of_descriptors(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

}  // namespace

void HttpAcceptor::wait() {
  listening_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const ErrorOfAsio& error) {
    if (!error) accept();
  });
}

void HttpAcceptor::close() {
  ErrorOfAsio ignored;
  listening_.close(ignored);
  timer_.cancel();
}

void HttpAcceptor::accept() {
  // Few enough that nobody is evicted by those who came along with him.
  const size_t most = std::clamp<size_t>(core_.options.max_connections / 4, 1, accepts_at_once);
  for (size_t i = 0; i < most; ++i) {
    if (!has_room()) return pause();
    Fd caller(::accept4(listening_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (caller) {
      admit(std::move(caller));
    } else if (is_out_of_descriptors(errno)) {
      complain(errno);
      evict();
      return pause();
    } else if (errno != EINTR && errno != ECONNABORTED) {
      break;
    }
  }
  wait();
}

bool HttpAcceptor::is_full() const {
  return core_.open.with([](size_t open) { return open; }) >= core_.options.max_connections;
}

bool HttpAcceptor::has_room() const {
  return !is_full() || !core_.in(ConnectionPhase::waiting).empty() || !core_.in(ConnectionPhase::writing).empty();
}

void HttpAcceptor::evict() {
  for (const ConnectionPhase phase : {ConnectionPhase::waiting, ConnectionPhase::writing}) {
    if (core_.in(phase).empty()) continue;
    ++core_.evicted;
    return core_.in(phase).front()->close();
  }
}

void HttpAcceptor::admit(Fd caller) {
  ++core_.connections;
  if (local_ && !peer_is_trusted(caller)) {
    ++core_.refused;
    return;
  }
  if (is_full()) evict();
  const int on = 1;
  if (!local_) ::setsockopt(caller.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  StreamProtocol::socket socket(core_.io);
  ErrorOfAsio error;
  socket.assign(StreamProtocol(local_ ? AF_UNIX : AF_INET, 0), caller.get(), error);
  if (error) return;
  caller.release();
  std::make_shared<HttpConnection>(core_, std::move(socket), local_)->begin();
}

void HttpAcceptor::pause() {
  timer_.expires_after(accept_pause);
  timer_.async_wait([this](const ErrorOfAsio& error) {
    if (!error) wait();
  });
}

void HttpAcceptor::complain(int error) {
  const auto now = std::chrono::steady_clock::now();
  if (complained_ && now - *complained_ < complaint_interval) return;
  complained_ = now;
  log_warning(std::string("cannot take a connection: ") + std::strerror(error) + "; raise the limit of open files (ulimit -n)");
}

}  // namespace loci
