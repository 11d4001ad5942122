// A TCP socket to listen on, for an address as a person writes it. System calls only; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace loci {

struct TcpListener {
  Fd fd;  // does not block
  std::uint16_t port = 0;
  std::string host;  // as it stands in a URL: "127.0.0.1", "[::1]"
};

// "127.0.0.1:7777", "[::1]:0", "localhost:7777". ErrorCode::usage if it is no address; ErrorCode::refused if it is not loopback and
// not `insecure`; ErrorCode::failed if it cannot be bound.
Result<TcpListener> listen_on_tcp(std::string_view address, bool insecure);

}  // namespace loci
