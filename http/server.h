// HTTP/1.1 on a unix socket and, when asked for, on loopback TCP (Boost.Beast). Owns its sockets and one thread that moves bytes;
// the handler runs on a small pool of worker threads and may respond later, from any thread.
//
// Limits: 16 KiB of headers, 1 MiB of body however it is sent, 10 s for a request to arrive, 60 s idle between requests, and a
// bounded number of connections: when there is no room, the one that has been waiting longest for its request to come is closed. So
// a thousand slow clients keep nobody else out.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/file_system.h"
#include "base/result.h"
#include "http/message.h"

namespace loci {

// May block: it has a worker thread. Must call `respond` exactly once, now or later.
using HttpHandler = std::function<void(HttpRequest request, Respond respond)>;

struct HttpOptions {
  path socket;         // the unix socket's name, mode 0600. One that nobody listens on is replaced; one that answers is an error
  Fd inherited;        // a listening unix socket from systemd, instead of making one; then its name is not removed at the end
  std::string listen;  // "127.0.0.1:7777", "[::1]:0"; empty: no TCP
  size_t workers = 4;
  size_t max_connections = 512;
};

struct HttpCounters {
  std::uint64_t connections = 0, requests = 0, refused = 0, evicted = 0;  // since the start
  size_t open = 0;
};

class HttpServer {
 public:
  // Listens when it returns. ErrorCode::usage for an impossible address, ErrorCode::failed with what is in the way.
  static Result<std::unique_ptr<HttpServer>> start(HttpOptions options, HttpHandler handler);
  // Stops accepting, gives running handlers `grace`, closes everything. stop() is called by the destructor if it was not.
  ~HttpServer();
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2'000));

  std::uint16_t tcp_port() const;  // as bound; 0: no TCP
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
