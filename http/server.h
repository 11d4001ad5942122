// HTTP/1.1 on a unix socket and, when asked for, on loopback TCP (Boost.Beast). Owns its sockets and one thread that moves bytes;
// the handler runs on a small pool of worker threads and may respond later, from any thread.
//
// Limits: 16 KiB of headers, 1 MiB of body however it is sent, 10 s for a request to arrive, 60 s idle between requests, 30 s for a
// response to be taken, and a bounded number of connections: when there is no room, the one that has been waiting longest for its
// request to come is closed. So a thousand slow clients keep nobody else out. Nothing wakes up while no connection is open.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/file_system.h"
#include "base/result.h"
#include "http/message.h"

namespace loci {

// May block: it has a worker thread. Must call `respond` exactly once, now or later; a request whose `respond` is destroyed without
// a call is answered with status 500, and so is one whose handler throws.
using HttpHandler = std::function<void(HttpRequest request, Respond respond)>;

// A look at a request before its body is read, and at one with a body once more when that is there: a response refuses it. On the
// thread that moves bytes: must not block.
using HttpRefuse = std::function<std::optional<HttpResponse>(const HttpRequest& request)>;

struct HttpOptions {
  path socket;            // the unix socket's name, mode 0600. One that nobody listens on is replaced; one that answers is an error
  Fd inherited;           // a listening unix socket from systemd, instead of making one; then its name is not removed at the end
  std::string listen;     // "127.0.0.1:7777", "[::1]:0"; empty: no TCP
  bool insecure = false;  // `listen` may be an address that other machines can reach
  // If given, a failure to listen on TCP goes here during start(), and the unix socket is served without it.
  std::function<void(const Error&)> without_tcp;
  size_t workers = 4;
  size_t max_connections = 512;
  std::chrono::milliseconds request_patience{10'000}, idle_patience{60'000}, write_patience{30'000};
};

struct HttpCounters {
  // Since the start. `refused`: callers of another user, and requests that were answered before the handler saw them.
  std::uint64_t connections = 0, requests = 0, refused = 0, evicted = 0;
  size_t open = 0;
};

class HttpServer {
 public:
  // Listens when it returns. ErrorCode::usage for an impossible address, ErrorCode::refused or failed with what is in the way.
  // `make_refuse`, if given, is asked for the check once the address is known.
  using MakeRefuse = std::function<HttpRefuse(const std::string& tcp_host, std::uint16_t tcp_port)>;
  static Result<std::unique_ptr<HttpServer>> start(HttpOptions options, HttpHandler handler, const MakeRefuse& make_refuse = {});
  // Stops accepting, closes idle connections, gives running handlers `grace`, closes everything. A handler that blocks for longer
  // is waited for; what it responds then goes nowhere. stop() is called by the destructor if it was not.
  ~HttpServer();
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2'000));

  std::uint16_t tcp_port() const;       // as bound; 0: no TCP
  const std::string& tcp_host() const;  // as HttpGuard wants it: "127.0.0.1", "[::1]"
  HttpCounters counters() const;
  // Goes up whenever the moving thread goes round: asks it to, and a watchdog that sees it stand still knows that it hangs.
  void ping();
  std::uint64_t pongs() const;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace loci
