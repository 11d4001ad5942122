#include "http/stream.h"

#include <atomic>

#include "tests/http/server_fixture.h"

namespace loci {
namespace {

using StreamedBody = ServerTest;

HttpResponse response_with(std::shared_ptr<HttpBody> body, std::string heartbeat = {}) {
  HttpResponse response;
  response.content_type = "text/plain";
  response.stream = std::move(body);
  response.heartbeat = std::move(heartbeat);
  return response;
}

TEST_F(StreamedBody, ArrivesWholeThoughItIsMoreThanWaitsAtOnce) {
  const std::string piece(100'000, 'x');
  start(options(), [&](HttpRequest, const Respond& respond) {
    auto [stream, body] = make_http_stream();
    respond(response_with(std::move(body)));
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(stream.write(piece));
    stream.write("end");
    stream.finish();
  });
  const auto response = ask("GET", "/x");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body.size(), 50 * piece.size() + 3);
  EXPECT_TRUE(response.body.ends_with("xend"));
}

TEST_F(StreamedBody, ThatIsCutOffIsNotTakenForAWholeOne) {
  start(options(), [&](HttpRequest, const Respond& respond) {
    auto [stream, body] = make_http_stream();
    respond(response_with(std::move(body)));
    stream.write("half of it");
  });
  EXPECT_FALSE(ask_daemon(socket, {"GET", "/x", {}}, std::chrono::seconds(10)));
}

TEST_F(StreamedBody, NeedNotBeMadeForWhoHasGone) {
  std::atomic<bool> is_told = false;
  start(options(), [&](HttpRequest, const Respond& respond) {
    auto [stream, body] = make_http_stream();
    respond(response_with(std::move(body)));
    while (stream.write(std::string(10'000, 'x'))) continue;
    is_told = true;
  });
  {
    auto caller = client();
    ASSERT_TRUE(caller.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_EQ(status_of(caller.read_headers()), 200);
  }
  EXPECT_TRUE(eventually([&] { return is_told.load(); }));
}

TEST_F(StreamedBody, ThatNeverEndsKeepsNoServerFromStopping) {
  std::shared_ptr<HttpStream> endless;
  start(options(), [&](HttpRequest, const Respond& respond) {
    auto [stream, body] = make_http_stream();
    stream.offer("begun");
    endless = std::make_shared<HttpStream>(std::move(stream));
    respond(response_with(std::move(body), ":\n"));
  });
  auto caller = client();
  ASSERT_TRUE(caller.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_EQ(status_of(caller.read_headers()), 200);
  const auto begin = std::chrono::steady_clock::now();
  server->stop(std::chrono::seconds(60));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_FALSE(endless->offer("more"));
}

TEST_F(StreamedBody, IsLeftOutOfTheAnswerToHead) {
  std::atomic<bool> is_told = false;
  start(options(), [&](HttpRequest, const Respond& respond) {
    auto [stream, body] = make_http_stream();
    respond(response_with(std::move(body)));
    while (stream.write(std::string(10'000, 'x'))) continue;
    is_told = true;
  });
  auto caller = client();
  ASSERT_TRUE(caller.send("HEAD /x HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_EQ(status_of(caller.read_headers()), 200);
  EXPECT_TRUE(eventually([&] { return is_told.load(); }));
}

}  // namespace
}  // namespace loci
