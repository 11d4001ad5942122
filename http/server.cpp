#include "http/server.h"

#include <fcntl.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <thread>
#include <utility>

#include "base/log.h"
#include "http/acceptor.h"
#include "http/tcp_listener.h"
#include "http/unix_socket.h"

namespace loci {
namespace {

namespace asio = boost::asio;

void move_bytes(HttpServerCore& core) {
  while (true) {
    try {
      core.io.run();
      return;
    } catch (const std::exception& exception) {  // out of memory: one connection is lost, not the service
      log_error(std::string("HTTP: ") + exception.what());
    }
  }
}

void make_inheritable_usable(const Fd& fd) {
  ::fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

struct HttpServer::Impl {
  std::shared_ptr<HttpServerCore> core;
  std::vector<std::unique_ptr<HttpAcceptor>> acceptors;
  ListeningSocket own_socket;  // without its descriptor; what is removed at the end
  bool has_own_socket = false;
  std::string tcp_host;
  std::uint16_t tcp_port = 0;
  std::thread mover;
  bool stopped = false;

  void listen(Fd fd, bool local) { acceptors.push_back(std::make_unique<HttpAcceptor>(*core, std::move(fd), local)); }
  Status listen_everywhere();
  void stop(std::chrono::milliseconds grace);
};

Status HttpServer::Impl::listen_everywhere() {
  HttpOptions& options = core->options;
  if (!options.listen.empty()) {
    auto tcp = listen_on_tcp(options.listen, options.insecure);
    if (tcp) {
      tcp_host = tcp->host;
      tcp_port = tcp->port;
      listen(std::move(tcp->fd), false);
    } else if (options.without_tcp) {
      options.without_tcp(tcp.error());
    } else {
      return std::unexpected(tcp.error());
    }
  }
  if (options.inherited) {
    make_inheritable_usable(options.inherited);
    listen(std::move(options.inherited), true);
  } else if (!options.socket.empty()) {
    auto made = TRY(listen_on_unix_socket(options.socket));
    own_socket = std::move(made);
    has_own_socket = true;
    listen(std::move(own_socket.fd), true);
  }
  return {};
}

void HttpServer::Impl::stop(std::chrono::milliseconds grace) {
  if (std::exchange(stopped, true)) return;
  if (mover.joinable()) {
    asio::post(core->io, [this] {
      core->draining = true;
      for (const auto& acceptor : acceptors) acceptor->close();
      for (const auto idle = core->in(ConnectionPhase::waiting); const auto& connection : idle) connection->close();
      for (const auto writing = core->in(ConnectionPhase::writing); const auto& connection : writing)
        if (connection->is_endless()) connection->close();
    });
    core->open.wait(std::chrono::steady_clock::now() + grace, [](size_t open) { return open == 0; }, [](size_t) {});
    core->io.stop();
    mover.join();
  }
  core->workers.stop();
  for (const auto& phase : core->phases)
    for (const auto left = phase; const auto& connection : left) connection->close();
  acceptors.clear();
  core->handler = {};  // what it holds need not wait for a late responder
  core->refuse = {};
  if (has_own_socket) remove_unix_socket(core->options.socket, own_socket);
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpOptions options, HttpHandler handler, const MakeRefuse& make_refuse) {
  auto impl = std::make_unique<Impl>();
  impl->core = std::make_shared<HttpServerCore>(std::move(options), std::move(handler));
  std::unique_ptr<HttpServer> server(new HttpServer(std::move(impl)));
  Impl& started = *server->impl_;
  TRY(started.listen_everywhere());
  if (make_refuse) started.core->refuse = make_refuse(started.tcp_host, started.tcp_port);
  for (const auto& acceptor : started.acceptors) acceptor->wait();
  started.mover = std::thread([core = started.core] {
    const auto work = asio::make_work_guard(core->io);  // stays while nobody calls
    move_bytes(*core);
  });
  return server;
}

void HttpServer::stop(std::chrono::milliseconds grace) { impl_->stop(grace); }

std::uint16_t HttpServer::tcp_port() const { return impl_->tcp_port; }
const std::string& HttpServer::tcp_host() const { return impl_->tcp_host; }

HttpCounters HttpServer::counters() const {
  const HttpServerCore& core = *impl_->core;
  return {core.connections, core.requests, core.refused, core.evicted, impl_->core->open.with([](size_t open) { return open; })};
}

void HttpServer::ping() {
  asio::post(impl_->core->io, [core = impl_->core.get()] { ++core->pongs; });
}

std::uint64_t HttpServer::pongs() const { return impl_->core->pongs; }

}  // namespace loci
