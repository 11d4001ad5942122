#include "http/connection.h"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

#include "base/out_of_memory.h"
#include "http/target.h"

namespace loci {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::uint32_t max_header_bytes = 16 << 10;
constexpr size_t read_size = 8 << 10, body_read_size = 64 << 10;
// After a refusal the rest of the request is read for so long, so that the caller gets to read why.
constexpr std::chrono::milliseconds linger_patience{1'000};
constexpr std::chrono::seconds heartbeat_interval{15};
constexpr size_t linger_bytes = size_t{8} << 20;

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

// The caller's way to respond, from any thread, at any time, even when the server is gone.
class Exchange {
 public:
  Exchange(std::shared_ptr<HttpServerCore> core, std::shared_ptr<HttpConnection> connection)
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
  std::shared_ptr<HttpServerCore> core_;  // outlives the connection, whose socket refers to it
  std::shared_ptr<HttpConnection> connection_;
  std::atomic<bool> answered_{false};
};

}  // namespace

void HttpConnection::begin() {
  place_ = core_.in(phase_).insert(core_.in(phase_).end(), shared_from_this());
  core_.open.change([](size_t& open) { ++open; });
  wait_for_request();
}

void HttpConnection::close() {
  if (!socket_.is_open()) return;
  ErrorOfAsio ignored;
  socket_.close(ignored);
  timer_.cancel();
  stream_.reset();
  const auto self = shared_from_this();  // the list may have had the last reference
  core_.in(phase_).erase(place_);
  core_.open.change([](size_t& open) { --open; });
}

void HttpConnection::enter(ConnectionPhase phase) {
  core_.in(phase).splice(core_.in(phase).end(), core_.in(phase_), place_);
  phase_ = phase;
}

void HttpConnection::set_deadline(std::chrono::milliseconds patience) {
  timer_.expires_after(patience);
  timer_.async_wait([self = shared_from_this()](const ErrorOfAsio& error) {
    // A timer that was set anew after it had fired already comes here too early.
    if (!error && self->timer_.expiry() <= std::chrono::steady_clock::now()) self->give_up();
  });
}

void HttpConnection::give_up() {
  if (phase_ != ConnectionPhase::waiting || !has_begun_) return close();
  ErrorOfAsio ignored;
  socket_.cancel(ignored);  // the read that goes on
  refuse(refusal(408, ErrorCode::usage, "the request did not arrive in time"));
}

void HttpConnection::refuse(HttpResponse response) {
  ++core_.refused;
  keep_alive_ = keep_alive_ && parser_->is_done();
  write(std::move(response));
}

void HttpConnection::wait_for_request() {
  parser_.emplace();
  parser_->header_limit(max_header_bytes);
  parser_->body_limit(max_request_body);
  request_ = {};
  has_begun_ = has_headers_ = is_head_ = keep_alive_ = false;
  enter(ConnectionPhase::waiting);
  set_deadline(core_.options.idle_patience);
  if (buffer_.size() > 0)
    take_in(0);
  else
    read();
}

void HttpConnection::read() {
  // Beast limits neither the extensions of a chunk nor what comes in one line of them.
  if (buffer_.size() > max_header_bytes) return refuse(malformed(http::error::header_limit));
  const auto space = buffer_.prepare(has_headers_ ? body_read_size : read_size);
  socket_.async_read_some(space, [self = shared_from_this()](const ErrorOfAsio& error, size_t bytes) {
    if (!self->socket_.is_open() || self->phase_ != ConnectionPhase::waiting) return;  // closed meanwhile, or timed out
    if (error) return self->close();
    self->take_in(bytes);
  });
}

void HttpConnection::take_in(size_t bytes) {
  buffer_.commit(bytes);
  if (!has_begun_) {
    has_begun_ = true;
    set_deadline(core_.options.request_patience);
  }
  parse();
}

void HttpConnection::parse() {
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
bool HttpConnection::take_headers() {
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

void HttpConnection::hand_over() {
  timer_.cancel();
  request_.body = std::move(parser_->get().body());
  if (core_.refuse && !request_.body.empty())
    if (auto response = core_.refuse(request_)) return refuse(std::move(*response));
  ++core_.requests;
  enter(ConnectionPhase::handling);
  auto exchange = std::make_shared<Exchange>(core_.shared_from_this(), shared_from_this());
  core_.workers.post([exchange = std::move(exchange), request = std::move(request_), &handler = core_.handler]() mutable {
    const auto handled = within_memory("answer the request", [&]() -> Status {
      handler(std::move(request), [exchange](HttpResponse response) { exchange->answer(std::move(response)); });
      return {};
    });
    if (!handled) exchange->answer(error_response(handled.error()));
  });
}

void HttpConnection::write(HttpResponse response) {
  if (!socket_.is_open()) return;
  if (response.stream && !is_head_) return begin_stream(std::move(response));
  keep_alive_ = keep_alive_ && !core_.draining;
  message_ = {};
  write_head(message_, response);
  message_.content_length(response.body.size());
  message_.keep_alive(keep_alive_);
  if (!is_head_) message_.body() = std::move(response.body);
  enter(ConnectionPhase::writing);
  set_deadline(core_.options.write_patience);
  http::async_write(socket_, message_, [self = shared_from_this()](const ErrorOfAsio& error, size_t) {
    if (error) return self->close();
    self->continue_or_close();
  });
}

// In chunks, as they are made. The connection ends with it: then what the caller sends meanwhile is of no interest, but for the
// end.
void HttpConnection::begin_stream(HttpResponse response) {
  keep_alive_ = false;
  stream_head_ = {};
  write_head(stream_head_, response);
  stream_head_.chunked(true);
  stream_head_.keep_alive(false);
  stream_serializer_.emplace(stream_head_);
  heartbeat_ = std::move(response.heartbeat);
  stream_ = std::move(response.stream);
  enter(ConnectionPhase::writing);
  set_deadline(core_.options.write_patience);
  is_sending_ = true;
  // Who makes the body may outlive this server: it wakes a connection only while that is there.
  stream_->wake_by([io = std::weak_ptr<HttpServerCore>(core_.shared_from_this()), self = weak_from_this()] {
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

void HttpConnection::pump() {
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

void HttpConnection::send_chunk(std::string text) {
  is_sending_ = true;
  chunk_ = std::move(text);
  set_deadline(core_.options.write_patience);
  asio::async_write(socket_, http::make_chunk(asio::const_buffer(chunk_.data(), chunk_.size())),
                    [self = shared_from_this()](const ErrorOfAsio& error, size_t) { error ? self->close() : self->pump(); });
}

void HttpConnection::wait_for_more() {
  timer_.expires_after(heartbeat_interval);
  timer_.async_wait([self = shared_from_this()](const ErrorOfAsio& error) {
    if (error || self->is_sending_ || !self->stream_ || self->timer_.expiry() > std::chrono::steady_clock::now()) return;
    self->heartbeat_.empty() ? self->wait_for_more() : self->send_chunk(self->heartbeat_);
  });
}

void HttpConnection::notice_end_of_caller() {
  socket_.async_read_some(asio::buffer(ignored_), [self = shared_from_this()](const ErrorOfAsio& error, size_t) {
    if (!self->socket_.is_open()) return;
    error ? self->close() : self->notice_end_of_caller();
  });
}

void HttpConnection::continue_or_close() {
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

void HttpConnection::linger(size_t left) {
  socket_.async_read_some(buffer_.prepare(body_read_size),
                          [self = shared_from_this(), left](const ErrorOfAsio& error, size_t bytes) {
                            if (error || bytes >= left) return self->close();
                            self->linger(left - bytes);
                          });
}

}  // namespace loci
