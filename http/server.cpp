#include "http/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cerrno>
#include <cstring>
#include <list>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/out_of_memory.h"
#include "base/synchronized.h"
#include "http/target.h"
#include "http/tcp_listener.h"
#include "http/unix_socket.h"
#include "http/workers.h"

namespace loci {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using ErrorOfAsio = boost::beast::error_code;
using StreamProtocol = asio::generic::stream_protocol;

constexpr std::uint32_t max_header_bytes = 16 << 10;
constexpr size_t read_size = 8 << 10, body_read_size = 64 << 10;
constexpr size_t accepts_at_once = 16;  // then the connections get their turn
constexpr std::chrono::milliseconds accept_pause{50};
constexpr std::chrono::minutes complaint_interval{1};
// After a refusal the rest of the request is read for so long, so that the caller gets to read why.
constexpr std::chrono::milliseconds linger_patience{1'000};
constexpr std::chrono::seconds heartbeat_interval{15};
constexpr size_t linger_bytes = size_t{8} << 20;

class Connection;

enum class Phase : std::uint8_t { waiting, handling, writing };

}  // namespace

// What the moving thread has, and what is left for those who respond late: they hold it until they have.
struct HttpServerCore : std::enable_shared_from_this<HttpServerCore> {
  HttpServerCore(HttpOptions given, HttpHandler handles) : options(std::move(given)), handler(std::move(handles)) {}

  asio::io_context io{1};
  HttpOptions options;
  HttpHandler handler;
  HttpRefuse refuse;
  // Every open connection, in the order in which they entered their phase. Of the moving thread.
  std::array<std::list<std::shared_ptr<Connection>>, 3> phases;
  bool draining = false;
  Synchronized<size_t> open;
  std::atomic<std::uint64_t> connections{0}, requests{0}, refused{0}, evicted{0}, pongs{0};
  Workers workers{options.workers};

  std::list<std::shared_ptr<Connection>>& in(Phase phase) { return phases[static_cast<size_t>(phase)]; }
};

namespace {

using Core = HttpServerCore;

HttpResponse refusal(int status, ErrorCode code, std::string message) {
  return error_response(Error{code, std::move(message)}, status);
}

HttpResponse malformed(const ErrorOfAsio& error) {
  if (error == http::error::body_limit) return refusal(413, ErrorCode::refused, "the body is larger than 1 MiB");
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return refusal(431, ErrorCode::refused, "the headers are larger than 16 KiB");
  return refusal(400, ErrorCode::usage, "this is no HTTP request: " + error.message());
}

// Of a whole response, and of one that is sent as it is made.
void write_head(http::response_header<>& head, const HttpResponse& response) {
  head.version(11);
  head.result(static_cast<unsigned>(response.status));
  head.set(http::field::content_type, response.content_type);
  head.set(http::field::cache_control, "no-store");
  head.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) head.set(name, value);
}

// One caller. Everything happens on the moving thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Core& core, StreamProtocol::socket socket, bool local)
      : core_(core), socket_(std::move(socket)), timer_(core.io), local_(local) {}

  void begin() {
    place_ = core_.in(phase_).insert(core_.in(phase_).end(), shared_from_this());
    core_.open.change([](size_t& open) { ++open; });
    wait_for_request();
  }

  void close() {
    if (!socket_.is_open()) return;
    ErrorOfAsio ignored;
    socket_.close(ignored);
    timer_.cancel();
    stream_.reset();
    const auto self = shared_from_this();  // the list may have had the last reference
    core_.in(phase_).erase(place_);
    core_.open.change([](size_t& open) { --open; });
  }

  void write(HttpResponse response);

  // Goes on until somebody ends it: a service that stops does.
  bool is_endless() const { return stream_ && !heartbeat_.empty(); }

 private:
  void enter(Phase phase) {
    core_.in(phase).splice(core_.in(phase).end(), core_.in(phase_), place_);
    phase_ = phase;
  }

  void set_deadline(std::chrono::milliseconds patience) {
    timer_.expires_after(patience);
    timer_.async_wait([self = shared_from_this()](const ErrorOfAsio& error) {
      // A timer that was set anew after it had fired already comes here too early.
      if (!error && self->timer_.expiry() <= std::chrono::steady_clock::now()) self->give_up();
    });
  }

  void give_up() {
    if (phase_ != Phase::waiting || !has_begun_) return close();
    ErrorOfAsio ignored;
    socket_.cancel(ignored);  // the read that goes on
    refuse(refusal(408, ErrorCode::usage, "the request did not arrive in time"));
  }

  void wait_for_request();
  void read();
  void take_in(size_t bytes);
  void parse();
  bool take_headers();
  void hand_over();
  void refuse(HttpResponse response) {
    ++core_.refused;
    keep_alive_ = keep_alive_ && parser_->is_done();
    write(std::move(response));
  }
  void continue_or_close();
  void linger(size_t left);
  void begin_stream(HttpResponse response);
  void pump();
  void send_chunk(std::string text);
  void wait_for_more();
  void notice_end_of_caller();

  Core& core_;
  StreamProtocol::socket socket_;
  asio::steady_timer timer_;
  const bool local_;
  Phase phase_ = Phase::waiting;
  std::list<std::shared_ptr<Connection>>::iterator place_;

  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpRequest request_;
  bool has_begun_ = false;  // the first byte of the request is here
  bool has_headers_ = false;
  bool is_head_ = false;
  bool keep_alive_ = false;
  http::response<http::string_body> message_;

  std::shared_ptr<HttpBody> stream_;  // while a response is sent as it is made
  std::string heartbeat_, chunk_;
  bool is_sending_ = false;
  http::response<http::empty_body> stream_head_;
  std::optional<http::response_serializer<http::empty_body>> stream_serializer_;
  std::array<char, 256> ignored_{};
};

// The caller's way to respond, from any thread, at any time, even when the server is gone.
class Exchange {
 public:
  Exchange(std::shared_ptr<Core> core, std::shared_ptr<Connection> connection)
      : core_(std::move(core)), connection_(std::move(connection)) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (!answered_) answer(refusal(500, ErrorCode::failed, "the request was dropped"));
  }

  void answer(HttpResponse response) {
    if (answered_.exchange(true)) return;
    asio::post(core_->io,
               [connection = connection_, response = std::move(response)]() mutable { connection->write(std::move(response)); });
  }

 private:
  std::shared_ptr<Core> core_;  // outlives the connection, whose socket refers to it
  std::shared_ptr<Connection> connection_;
  std::atomic<bool> answered_{false};
};

void Connection::wait_for_request() {
  parser_.emplace();
  parser_->header_limit(max_header_bytes);
  parser_->body_limit(max_request_body);
  request_ = {};
  has_begun_ = has_headers_ = is_head_ = keep_alive_ = false;
  enter(Phase::waiting);
  set_deadline(core_.options.idle_patience);
  if (buffer_.size() > 0)
    take_in(0);
  else
    read();
}

void Connection::read() {
  // Beast limits neither the extensions of a chunk nor what comes in one line of them.
  if (buffer_.size() > max_header_bytes) return refuse(malformed(http::error::header_limit));
  const auto space = buffer_.prepare(has_headers_ ? body_read_size : read_size);
  socket_.async_read_some(space, [self = shared_from_this()](const ErrorOfAsio& error, size_t bytes) {
    if (!self->socket_.is_open() || self->phase_ != Phase::waiting) return;  // closed meanwhile, or timed out
    if (error) return self->close();
    self->take_in(bytes);
  });
}

void Connection::take_in(size_t bytes) {
  buffer_.commit(bytes);
  if (!has_begun_) {
    has_begun_ = true;
    set_deadline(core_.options.request_patience);
  }
  parse();
}

void Connection::parse() {
  while (buffer_.size() > 0 && !parser_->is_done()) {
    ErrorOfAsio error;
    const size_t used = parser_->put(buffer_.data(), error);
    buffer_.consume(used);
    if (error == http::error::need_more) break;
    if (error) return refuse(malformed(error));
    if (parser_->is_header_done() && !has_headers_ && !take_headers()) return;
  }
  if (parser_->is_done())
    hand_over();
  else
    read();
}

// What is known before the body. False: it was refused.
bool Connection::take_headers() {
  has_headers_ = true;
  const auto& message = parser_->get();
  is_head_ = message.method() == http::verb::head;
  keep_alive_ = message.keep_alive();
  const auto no = [&](HttpResponse response) {
    refuse(std::move(response));
    return false;
  };
  for (const http::field field : {http::field::host, http::field::origin, http::field::authorization, http::field::content_type,
                                  http::field::if_match, http::field::if_none_match, http::field::cookie, http::field::expect})
    if (message.count(field) > 1) return no(refusal(400, ErrorCode::usage, "a header that may stand once stands twice"));
  // Beast takes a message in any other coding for one without a body, and the body for the next request.
  if (const auto coding = message[http::field::transfer_encoding]; !coding.empty() && !boost::beast::iequals(coding, "chunked")) {
    keep_alive_ = false;
    return no(refusal(501, ErrorCode::usage, "of all transfer codings only 'chunked' is understood"));
  }
  auto target = parse_target(message.target());
  if (!target) return no(error_response(target.error()));
  request_.method = message.method_string();
  request_.path = std::move(target->path);
  request_.query = std::move(target->query);
  request_.host = message[http::field::host];
  request_.origin = message[http::field::origin];
  request_.authorization = message[http::field::authorization];
  request_.content_type = message[http::field::content_type];
  request_.if_match = message[http::field::if_match];
  request_.if_none_match = message[http::field::if_none_match];
  const auto optional_header = [&](std::string_view name, std::optional<std::string>& value) {
    if (const auto found = message.find(name); found != message.end()) value = found->value();
  };
  optional_header("MCP-Protocol-Version", request_.mcp_version);
  optional_header("Mcp-Method", request_.mcp_method);
  optional_header("Mcp-Name", request_.mcp_name);
  request_.cookie = message[http::field::cookie];
  request_.fetch_site = message["Sec-Fetch-Site"];
  request_.panel_key = message["X-Loci-Key"];
  if (message.count(http::field::if_match) > 0 && request_.if_match.empty())
    return no(refusal(400, ErrorCode::usage, "If-Match is empty: send the entry's hash, or leave the header out"));
  request_.local = local_;
  request_.from_command_line = local_ && message["X-Loci-Client"] == "cli";
  if (core_.refuse)
    if (auto response = core_.refuse(request_)) return no(std::move(*response));
  const auto expected = message[http::field::expect];
  if (!expected.empty() && !boost::beast::iequals(expected, "100-continue"))
    return no(refusal(417, ErrorCode::usage, "only 100-continue can be expected"));
  if (!expected.empty() && !parser_->is_done() && buffer_.size() == 0) {
    constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    // Into an empty send buffer; a caller for whom that fails need not wait for it either.
    (void)::send(socket_.native_handle(), go_on.data(), go_on.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  parser_->eager(true);
  return true;
}

void Connection::hand_over() {
  timer_.cancel();
  request_.body = std::move(parser_->get().body());
  if (core_.refuse && !request_.body.empty())
    if (auto response = core_.refuse(request_)) return refuse(std::move(*response));
  ++core_.requests;
  enter(Phase::handling);
  auto exchange = std::make_shared<Exchange>(core_.shared_from_this(), shared_from_this());
  core_.workers.post([exchange = std::move(exchange), request = std::move(request_), &handler = core_.handler]() mutable {
    const auto handled = within_memory("answer the request", [&]() -> Status {
      handler(std::move(request), [exchange](HttpResponse response) { exchange->answer(std::move(response)); });
      return {};
    });
    if (!handled) exchange->answer(error_response(handled.error()));
  });
}

void Connection::write(HttpResponse response) {
  if (!socket_.is_open()) return;
  if (response.stream && !is_head_) return begin_stream(std::move(response));
  keep_alive_ = keep_alive_ && !core_.draining;
  message_ = {};
  write_head(message_, response);
  message_.content_length(response.body.size());
  message_.keep_alive(keep_alive_);
  if (!is_head_) message_.body() = std::move(response.body);
  enter(Phase::writing);
  set_deadline(core_.options.write_patience);
  http::async_write(socket_, message_, [self = shared_from_this()](const ErrorOfAsio& error, size_t) {
    if (error) return self->close();
    self->continue_or_close();
  });
}

// In chunks, as they are made. The connection ends with it: then what the caller sends meanwhile is of no interest, but for the
// end.
void Connection::begin_stream(HttpResponse response) {
  keep_alive_ = false;
  stream_head_ = {};
  write_head(stream_head_, response);
  stream_head_.chunked(true);
  stream_head_.keep_alive(false);
  stream_serializer_.emplace(stream_head_);
  heartbeat_ = std::move(response.heartbeat);
  stream_ = std::move(response.stream);
  enter(Phase::writing);
  set_deadline(core_.options.write_patience);
  is_sending_ = true;
  // Who makes the body may outlive this server: it wakes a connection only while that is there.
  stream_->wake_by([io = std::weak_ptr<Core>(core_.shared_from_this()), self = weak_from_this()] {
    if (const auto core = io.lock())
      asio::post(core->io, [self] {
        if (const auto connection = self.lock(); connection && !connection->is_sending_) connection->pump();
      });
  });
  http::async_write_header(socket_, *stream_serializer_, [self = shared_from_this()](const ErrorOfAsio& error, size_t) {
    if (error) return self->close();
    self->notice_end_of_caller();
    self->pump();
  });
}

void Connection::pump() {
  is_sending_ = false;
  if (!socket_.is_open() || !stream_) return;
  HttpBody::Goes goes{};
  std::string text = stream_->take(goes);
  if (!text.empty()) return send_chunk(std::move(text));
  if (goes == HttpBody::Goes::on) return wait_for_more();
  if (goes == HttpBody::Goes::cut_off) return close();
  is_sending_ = true;
  set_deadline(core_.options.write_patience);
  asio::async_write(socket_, http::make_chunk_last(), [self = shared_from_this()](const ErrorOfAsio&, size_t) { self->close(); });
}

void Connection::send_chunk(std::string text) {
  is_sending_ = true;
  chunk_ = std::move(text);
  set_deadline(core_.options.write_patience);
  asio::async_write(socket_, http::make_chunk(asio::const_buffer(chunk_.data(), chunk_.size())),
                    [self = shared_from_this()](const ErrorOfAsio& error, size_t) { error ? self->close() : self->pump(); });
}

void Connection::wait_for_more() {
  timer_.expires_after(heartbeat_interval);
  timer_.async_wait([self = shared_from_this()](const ErrorOfAsio& error) {
    if (error || self->is_sending_ || !self->stream_ || self->timer_.expiry() > std::chrono::steady_clock::now()) return;
    self->heartbeat_.empty() ? self->wait_for_more() : self->send_chunk(self->heartbeat_);
  });
}

void Connection::notice_end_of_caller() {
  socket_.async_read_some(asio::buffer(ignored_), [self = shared_from_this()](const ErrorOfAsio& error, size_t) {
    if (!self->socket_.is_open()) return;
    error ? self->close() : self->notice_end_of_caller();
  });
}

void Connection::continue_or_close() {
  message_ = {};
  if (!socket_.is_open()) return;
  if (keep_alive_) return wait_for_request();
  if (parser_->is_done() && buffer_.size() == 0) return close();
  // Closing with bytes unread would throw away what the caller has not read of the answer.
  ErrorOfAsio error;
  socket_.shutdown(StreamProtocol::socket::shutdown_send, error);
  if (error) return close();
  set_deadline(linger_patience);
  buffer_.clear();
  linger(linger_bytes);
}

void Connection::linger(size_t left) {
  socket_.async_read_some(buffer_.prepare(body_read_size),
                          [self = shared_from_this(), left](const ErrorOfAsio& error, size_t bytes) {
                            if (error || bytes >= left) return self->close();
                            self->linger(left - bytes);
                          });
}

bool is_out_of_descriptors(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

// One listening socket.
class Acceptor {
 public:
  Acceptor(Core& core, Fd listening, bool local)
      : core_(core), listening_(core.io, listening.release()), timer_(core.io), local_(local) {}

  void wait() {
    listening_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const ErrorOfAsio& error) {
      if (!error) accept();
    });
  }

  void close() {
    ErrorOfAsio ignored;
    listening_.close(ignored);
    timer_.cancel();
  }

 private:
  void accept() {
    // Few enough that nobody is evicted by those who came along with him.
    const size_t most = std::clamp<size_t>(core_.options.max_connections / 4, 1, accepts_at_once);
    for (size_t i = 0; i < most; ++i) {
      if (!has_room()) return pause();
      Fd caller(::accept4(listening_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (caller) {
        admit(std::move(caller));
      } else if (is_out_of_descriptors(errno)) {
        complain(errno);
        evict();
        return pause();
      } else if (errno != EINTR && errno != ECONNABORTED) {
        break;
      }
    }
    wait();
  }

  bool is_full() const {
    return core_.open.with([](size_t open) { return open; }) >= core_.options.max_connections;
  }
  // There is none while every connection is being served.
  bool has_room() const { return !is_full() || !core_.in(Phase::waiting).empty() || !core_.in(Phase::writing).empty(); }

  void evict() {
    for (const Phase phase : {Phase::waiting, Phase::writing}) {
      if (core_.in(phase).empty()) continue;
      ++core_.evicted;
      return core_.in(phase).front()->close();
    }
  }

  void admit(Fd caller) {
    ++core_.connections;
    if (local_ && !peer_is_trusted(caller)) {
      ++core_.refused;
      return;
    }
    if (is_full()) evict();
    const int on = 1;
    if (!local_) ::setsockopt(caller.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    StreamProtocol::socket socket(core_.io);
    ErrorOfAsio error;
    socket.assign(StreamProtocol(local_ ? AF_UNIX : AF_INET, 0), caller.get(), error);
    if (error) return;
    caller.release();
    std::make_shared<Connection>(core_, std::move(socket), local_)->begin();
  }

  // The caller waits in the kernel's queue, which would report it again and again.
  void pause() {
    timer_.expires_after(accept_pause);
    timer_.async_wait([this](const ErrorOfAsio& error) {
      if (!error) wait();
    });
  }

  void complain(int error) {
    const auto now = std::chrono::steady_clock::now();
    if (complained_ && now - *complained_ < complaint_interval) return;
    complained_ = now;
    log_warning(std::string("cannot take a connection: ") + std::strerror(error) + "; raise the limit of open files (ulimit -n)");
  }

  Core& core_;
  asio::posix::stream_descriptor listening_;
  asio::steady_timer timer_;
  const bool local_;
  std::optional<std::chrono::steady_clock::time_point> complained_;
};

void move_bytes(Core& core) {
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
  std::shared_ptr<Core> core;
  std::vector<std::unique_ptr<Acceptor>> acceptors;
  ListeningSocket own_socket;  // without its descriptor; what is removed at the end
  bool has_own_socket = false;
  std::string tcp_host;
  std::uint16_t tcp_port = 0;
  std::thread mover;
  bool stopped = false;

  void listen(Fd fd, bool local) { acceptors.push_back(std::make_unique<Acceptor>(*core, std::move(fd), local)); }
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
      for (const auto idle = core->in(Phase::waiting); const auto& connection : idle) connection->close();
      for (const auto writing = core->in(Phase::writing); const auto& connection : writing)
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
  impl->core = std::make_shared<Core>(std::move(options), std::move(handler));
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
  const Core& core = *impl_->core;
  return {core.connections, core.requests, core.refused, core.evicted, impl_->core->open.with([](size_t open) { return open; })};
}

void HttpServer::ping() {
  asio::post(impl_->core->io, [core = impl_->core.get()] { ++core->pongs; });
}

std::uint64_t HttpServer::pongs() const { return impl_->core->pongs; }

}  // namespace loci
