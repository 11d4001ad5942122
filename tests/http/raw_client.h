// A caller that sends whatever bytes a test wants, over a socket of its own. Every wait ends after some seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/file_system.h"

namespace loci {

class RawClient {
 public:
  static RawClient on_unix_socket(const path& name);
  static RawClient on_loopback(std::uint16_t port);

  bool connected() const { return static_cast<bool>(fd_); }
  // False if the other end is closed.
  bool send(std::string_view bytes) const;
  // Everything up to the end of one response (by its Content-Length); what came, if the connection closed before.
  std::string read_response();
  // The headers of a response alone: of one to HEAD, and of "100 Continue".
  std::string read_headers();
  // True if the connection is closed by the other end, without further bytes.
  bool is_closed();

 private:
  explicit RawClient(Fd fd) : fd_(std::move(fd)) {}
  bool read_more();

  Fd fd_;
  std::string pending_;
};

// "HTTP/1.1 404 Not Found…" -> 404; 0 if it is no response.
int status_of(std::string_view response);

}  // namespace loci
