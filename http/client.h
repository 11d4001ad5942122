// One request over a daemon's unix socket: what a command asks of the daemon. Blocking, with a deadline; any thread.
#pragma once

#include <chrono>

#include "base/file_system.h"
#include "base/result.h"
#include "http/message.h"

namespace loci {

struct ClientRequest {
  std::string method = "GET";
  std::string target;  // "/memory/reindex?x=y", encoded
  std::string body;    // JSON, if any
};

// ErrorCode::not_found: nobody listens there (no socket, or a dead one). ErrorCode::remote: it listens and does not answer
// properly, or not before `patience` is over. A response with an error status is a response.
Result<HttpResponse> ask_daemon(const path& socket, const ClientRequest& request, std::chrono::milliseconds patience);

// The error shape of a response with a status of 400 or more, as the Error it was made of.
Error error_of(const HttpResponse& response);

}  // namespace loci
