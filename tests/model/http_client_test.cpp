#include "model/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
