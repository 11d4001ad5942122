// A body that is made while it is sent: an export that need not fit into memory, or events that come one after another. Whoever
// makes it has an HttpStream, whoever sends it the HttpBody; each learns when the other one is gone. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/synchronized.h"

namespace loci {

struct HttpStreamState;

class HttpStream {
 public:
  explicit HttpStream(std::shared_ptr<HttpStreamState> state) : state_(std::move(state)) {}
  HttpStream(HttpStream&&) = default;
  HttpStream& operator=(HttpStream&&) = delete;
  // Without finish() the caller sees that the body is cut off.
  ~HttpStream();

  // Waits while more than `most_waiting` bytes are not taken yet. False: nobody reads any more, or has read nothing for `patience`,
  // and nothing more need be made.
  bool write(std::string_view text);
  // Never waits: false also if that many wait already.
  bool offer(std::string_view text);
  void finish();

  static constexpr size_t most_waiting = size_t{1} << 20;
  static constexpr std::chrono::seconds patience{60};

 private:
  std::shared_ptr<HttpStreamState> state_;
};

class HttpBody {
 public:
  explicit HttpBody(std::shared_ptr<HttpStreamState> state) : state_(std::move(state)) {}
  HttpBody(const HttpBody&) = delete;
  HttpBody& operator=(const HttpBody&) = delete;
  ~HttpBody();

  enum class Goes : std::uint8_t { on, finished, cut_off };
  // What is there now; empty if nothing is. `goes` says what comes behind it.
  std::string take(Goes& goes);
  // Calls `wake` whenever there is something to take; it must not block.
  void wake_by(std::function<void()> wake);
  // Everything until the end, for whoever may wait for it.
  std::string rest();

 private:
  std::shared_ptr<HttpStreamState> state_;
};

std::pair<HttpStream, std::shared_ptr<HttpBody>> make_http_stream();

}  // namespace loci
