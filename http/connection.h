// One caller of the HTTP server, and what all of them share. Of http/server.cpp alone: everything happens on the thread that moves
// bytes, but for what a caller's handler responds.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "base/synchronized.h"
#include "http/server.h"
#include "http/workers.h"

namespace loci {

using ErrorOfAsio = boost::beast::error_code;
using StreamProtocol = boost::asio::generic::stream_protocol;

enum class ConnectionPhase : std::uint8_t { waiting, handling, writing };

class HttpConnection;

// What the moving thread has, and what is left for those who respond late: they hold it until they have.
struct HttpServerCore : std::enable_shared_from_this<HttpServerCore> {
  HttpServerCore(HttpOptions given, HttpHandler handles) : options(std::move(given)), handler(std::move(handles)) {}

  boost::asio::io_context io{1};
  HttpOptions options;
  HttpHandler handler;
  HttpRefuse refuse;
  // Every open connection, in the order in which they entered their phase. Of the moving thread.
  std::array<std::list<std::shared_ptr<HttpConnection>>, 3> phases;
  bool draining = false;
  Synchronized<size_t> open;
  std::atomic<std::uint64_t> connections{0}, requests{0}, refused{0}, evicted{0}, pongs{0};
  Workers workers{options.workers};

  std::list<std::shared_ptr<HttpConnection>>& in(ConnectionPhase phase) { return phases[static_cast<size_t>(phase)]; }
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(HttpServerCore& core, StreamProtocol::socket socket, bool local)
      : core_(core), socket_(std::move(socket)), timer_(core.io), local_(local) {}

  void begin();
  void close();
  void write(HttpResponse response);

  // Goes on until somebody ends it: a service that stops does.
  bool is_endless() const { return stream_ && !heartbeat_.empty(); }

 private:
  void enter(ConnectionPhase phase);
  void set_deadline(std::chrono::milliseconds patience);
  void give_up();
  void wait_for_request();
  void read();
  void take_in(size_t bytes);
  void parse();
  bool take_headers();
  void hand_over();
  void refuse(HttpResponse response);
  void continue_or_close();
  void linger(size_t left);
  void begin_stream(HttpResponse response);
  void pump();
  void send_chunk(std::string text);
  void wait_for_more();
  void notice_end_of_caller();

  HttpServerCore& core_;
  StreamProtocol::socket socket_;
  boost::asio::steady_timer timer_;
  const bool local_;
  ConnectionPhase phase_ = ConnectionPhase::waiting;
  std::list<std::shared_ptr<HttpConnection>>::iterator place_;

  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  HttpRequest request_;
  bool has_begun_ = false;  // the first byte of the request is here
  bool has_headers_ = false;
  bool is_head_ = false;
  bool keep_alive_ = false;
  boost::beast::http::response<boost::beast::http::string_body> message_;

  std::shared_ptr<HttpBody> stream_;  // while a response is sent as it is made
  std::string heartbeat_, chunk_;
  bool is_sending_ = false;
  boost::beast::http::response<boost::beast::http::empty_body> stream_head_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::empty_body>> stream_serializer_;
  std::array<char, 256> ignored_{};
};

}  // namespace loci
