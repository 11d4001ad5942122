#include "model/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "tests/support/model_server.h"

namespace loci {
namespace {

using Kind = HttpFailure::Kind;

std::expected<HttpAnswer, HttpFailure> post(const HttpPost& request, const HttpLimits& limits = {}) {
  auto client = HttpClient::open();
  EXPECT_TRUE(client) << client.error().message;
  return (*client)->post(request, limits, {});
}

TEST(ARequestToThisMachineOnly, ConnectsToNoOtherWhateverTheName) {
  for (const char* url : {"http://192.0.2.1/", "http://[2001:db8::1]/"}) {
    const auto answer = post({.url = url, .only_this_machine = true});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, Kind::unusable);
    EXPECT_EQ(answer.error().message, "the host is not this machine");
  }
}

TEST(ARequestToThisMachineOnly, ReachesLocalhost) {
  const ModelServer server;
  const auto answer =
      post({.url = "http://localhost:" + std::to_string(server.port()) + "/v1/messages", .only_this_machine = true});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 400);
}

TEST(ARequest, GoesOverHttpAndHttpsOnly) {
  for (const char* url : {"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"}) {
    const auto answer = post({.url = url, .only_this_machine = true});
    ASSERT_FALSE(answer) << url;
    EXPECT_EQ(answer.error().kind, Kind::unusable) << url;
  }
}

// Takes connections and never reads.
class DeafServer {
 public:
  DeafServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_.get(), 8), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }
  const std::string& url() const { return url_; }

 private:
  Fd socket_;
  std::string url_;
};

TEST(ARequest, ThatIsNotTakenStalls) {
  const DeafServer server;
  HttpLimits limits;
  limits.stall = std::chrono::milliseconds(300);
  const auto answer = post({.url = server.url(), .body = std::string(64 << 20, 'x')}, limits);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Kind::connection);
  EXPECT_EQ(answer.error().message, "the connection has stalled for 300 ms");
}

TEST(ARequest, ThatIsNeverAnsweredEndsWithItsTime) {
  const DeafServer server;
  HttpLimits limits;
  limits.stall = std::chrono::milliseconds(100);
  limits.total = std::chrono::milliseconds(500);
  const auto answer = post({.url = server.url(), .body = "{}"}, limits);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Kind::out_of_time);
  EXPECT_EQ(answer.error().message, "no answer within 500 ms");
}

TEST(AConnection, ThatIsNotMadeInTimeIsGivenUp) {
  const DeafServer server;
  HttpLimits limits;
  limits.connect = std::chrono::milliseconds(300);
  std::string url = server.url();
  const auto answer = post({.url = url.insert(4, "s")}, limits);  // the other side never shakes hands
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Kind::connection);
}

TEST(AnHttpAnswer, OfExactlyTheLimitIsTaken) {
  const ModelServer server(R"({"steps":[]})");
  const HttpPost request{.url = server.base_url() + "/nowhere", .body = "{}"};
  const auto whole = post(request);
  ASSERT_TRUE(whole);
  HttpLimits limits;
  limits.answer_bytes = whole->body.size();
  EXPECT_TRUE(post(request, limits));
  --limits.answer_bytes;
  const auto refused = post(request, limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Kind::too_large);
}

}  // namespace
}  // namespace loci
