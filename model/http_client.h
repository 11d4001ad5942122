// One HTTP request at a time, over libcurl: POST, no redirects, no cookies, no netrc, no compression, nothing from the
// environment. The library is loaded on first use, because a command that asks no model should not pay for linking it.
//
// Not thread-safe. A stop token that is asked to stop from another thread ends a request at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace loci {

struct HttpHeader {
  std::string name, value;

  ~HttpHeader() { wipe(value); }  // it may be a key
};

struct HttpPost {
  std::string url;  // http:// or https://
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  bool only_this_machine = false;         // connect to loopback addresses and no others, whatever the name resolves to
  std::string proxy = {}, no_proxy = {};  // as of $https_proxy and $no_proxy; empty: none
};

struct HttpLimits {
  std::chrono::milliseconds connect{10'000};
  // Less than one byte a second for so long ends it, but for the time between the whole request and the first byte of the answer:
  // a model thinks in silence.
  std::chrono::milliseconds stall{60'000};
  std::chrono::milliseconds total{600'000};
  size_t answer_bytes = size_t{8} << 20;  // of the body; headers may have 256 KiB
};

struct HttpAnswer {
  int status = 0;
  std::string content_encoding, retry_after, date;  // headers; empty if they are missing
  std::string body;
};

struct HttpFailure {
  enum class Kind : std::uint8_t {
    connection,   // refused, broken, stalled, not in time; no such name
    out_of_time,  // the total is used up
    too_large,    // more bytes than that
    unusable,     // no trust in the certificate, an address that is not allowed, no HTTP
    cancelled,    // by the stop token
  };
  Kind kind = Kind::connection;
  std::string message;  // one line; no header is in it
};

class HttpClient {
 public:
  // ErrorCode::remote if there is no libcurl.
  static Result<std::unique_ptr<HttpClient>> open();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Any status is an answer.
  std::expected<HttpAnswer, HttpFailure> post(const HttpPost& request, const HttpLimits& limits, const std::stop_token& stop);
  // Is there a server that can be talked to? Of the request only the address counts; nothing of it is sent.
  std::expected<void, HttpFailure> reach(const HttpPost& request, const HttpLimits& limits);

 private:
  struct Connection;
  explicit HttpClient(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace loci
