// A listening socket of the HTTP server. Of the thread that moves bytes.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <optional>

#include "base/fd.h"
#include "http/connection.h"

namespace loci {

class HttpAcceptor {
 public:
  HttpAcceptor(HttpServerCore& core, Fd listening, bool local)
      : core_(core), listening_(core.io, listening.release()), timer_(core.io), local_(local) {}

  void wait();
  void close();

 private:
  void accept();
  bool is_full() const;
  // There is none while every connection is being served.
  bool has_room() const;
  void evict();
  void admit(Fd caller);
  // The caller waits in the kernel's queue, which would report it again and again.
  void pause();
  void complain(int error);

  HttpServerCore& core_;
  boost::asio::posix::stream_descriptor listening_;
  boost::asio::steady_timer timer_;
  const bool local_;
  std::optional<std::chrono::steady_clock::time_point> complained_;
};

}  // namespace loci
