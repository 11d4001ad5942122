#include "http/client.h"

#include <poll.h>
#include <sys/socket.h>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>

#include "http/unix_socket.h"

namespace loci {
namespace {

namespace http = boost::beast::http;

constexpr std::uint64_t max_response_body = std::uint64_t{1} << 30;
constexpr std::uint32_t max_response_header = 64 << 10;

using Deadline = std::chrono::steady_clock::time_point;

std::unexpected<Error> no_answer(const char* why) {
  return fail(ErrorCode::remote, std::string("the daemon ") + why, "'loci status' and the daemon's log tell more");
}

std::string bytes_of(const ClientRequest& request) {
  std::string bytes =
      request.method + ' ' + request.target + " HTTP/1.1\r\nHost: loci\r\nConnection: close\r\nX-Loci-Client: cli\r\n";
  if (!request.body.empty())
    bytes += "Content-Type: application/json\r\nContent-Length: " + std::to_string(request.body.size()) + "\r\n";
  return bytes + "\r\n" + request.body;
}

// Waits until the connection is ready for `events`; false when the time is over.
bool wait_for(const Fd& connection, short events, Deadline deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{connection.get(), events, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000)));
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
}

Status send_all(const Fd& connection, std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!wait_for(connection, POLLOUT, deadline)) return no_answer("does not listen");
    const ssize_t sent = ::send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) return {};  // it may have answered already, and closed: the answer says why
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

HttpResponse response_of(http::response<http::string_body>&& message) {
  HttpResponse response;
  response.status = static_cast<int>(message.result_int());
  response.content_type = message[http::field::content_type];
  response.body = std::move(message.body());
  for (const auto& field : message) response.headers[field.name_string()] = field.value();
  return response;
}

// Feeds the parser with what stands in `pending`; takes off what it used.
Status parse(http::response_parser<http::string_body>& parser, std::string& pending) {
  boost::beast::error_code error;
  const size_t used = parser.put(boost::asio::buffer(pending), error);
  pending.erase(0, used);
  if (error && error != http::error::need_more) return no_answer("answers something that is no HTTP");
  return {};
}

Result<HttpResponse> receive(const Fd& connection, bool head, Deadline deadline) {
  http::response_parser<http::string_body> parser;
  parser.eager(true);
  parser.skip(head);
  parser.body_limit(max_response_body);
  parser.header_limit(max_response_header);
  std::string pending;
  char chunk[16 << 10];
  while (!parser.is_done()) {
    if (!wait_for(connection, POLLIN, deadline)) return no_answer("does not answer in time");
    const ssize_t count = ::recv(connection.get(), chunk, sizeof chunk, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) {
      boost::beast::error_code error;
      if (count == 0 && parser.is_header_done()) parser.put_eof(error);
      if (parser.is_done() && !error) break;
      return no_answer("broke off its answer");
    }
    pending.append(chunk, static_cast<size_t>(count));
    TRY(parse(parser, pending));
  }
  return response_of(parser.release());
}

ErrorCode code_of(int status, std::string_view name) {
  for (const ErrorCode code :
       {ErrorCode::failed, ErrorCode::usage, ErrorCode::not_found, ErrorCode::locked, ErrorCode::refused, ErrorCode::remote})
    if (name_of(code) == name) return code;
  return status < 500 ? ErrorCode::usage : ErrorCode::remote;
}

}  // namespace

Result<HttpResponse> ask_daemon(const path& socket, const ClientRequest& request, std::chrono::milliseconds patience) {
  const Deadline deadline = std::chrono::steady_clock::now() + patience;
  const auto connection = TRY(connect_to_unix_socket(socket, patience));
  if (!peer_is_trusted(connection)) return no_answer("belongs to another user");
  TRY(send_all(connection, bytes_of(request), deadline));
  return receive(connection, request.method == "HEAD", deadline);
}

Error error_of(const HttpResponse& response) {
  const auto json = parse_json(response.body);
  const Json* inner = json ? json->find("error") : nullptr;
  if (!inner) return {ErrorCode::remote, "the daemon answered with status " + std::to_string(response.status)};
  Error error{code_of(response.status, inner->text_at("code")), inner->text_at("message"), inner->text_at("hint"),
              inner->text_at("file")};
  if (const Json* line = inner->find("line"); line && line->as_integer()) error.line = static_cast<int>(*line->as_integer());
  return error;
}

}  // namespace loci
