// A question and its answer, over real loopback HTTP, for every provider: what is sent, what comes back, and how it is cancelled.
#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "tests/model/asked_model.h"
#include "tokens/estimate.h"

namespace loci {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class EveryProvider : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(, EveryProvider, ::testing::Values("openai", "anthropic", "ollama"),
                         [](const auto& test) { return test.param; });

TEST_P(EveryProvider, AnswersWithTextAndTokens) {
  const ModelServer server(R"({"steps":[{"answer":{"operations":[{"op":"ADD","facts":[1]}]},"usage":{"input":321,"output":45}}]})",
                           test_key);
  const auto model = open_for_test(settings_for(server, GetParam()));
  const auto answer = model->ask(a_request(), {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, R"({"operations": [{"op": "ADD", "facts": [1]}]})");
  EXPECT_EQ(answer->tokens, (TokenUse{321, 45}));
  EXPECT_EQ(model->name(), "m (" + GetParam() + ", small)");
}

TEST_P(EveryProvider, GetsARequestThatItsOwnRulesAccept) {
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})", test_key);
  ASSERT_TRUE(open_for_test(settings_for(server, GetParam()))->ask(a_request(), {}));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].find("invalid"), nullptr) << to_string(requests[0]);
  EXPECT_EQ(requests[0].text_at("key"), "right");
  const Json& headers = *requests[0].find("headers");
  EXPECT_THAT(headers.text_at("user-agent"), StartsWith("loci/"));
  for (const char* unwanted : {"accept-encoding", "cookie", "expect", "referer"})
    EXPECT_EQ(headers.find(unwanted), nullptr) << unwanted;
  EXPECT_THAT(to_string(*requests[0].find("body")), AllOf(HasSubstr("grün, 緑茶"), Not(HasSubstr(test_key))));
}

TEST_P(EveryProvider, IsAskedAgainOverTheSameModel) {
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})", test_key);
  const auto model = open_for_test(settings_for(server, GetParam()));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(model->ask(a_request(), {}));
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_P(EveryProvider, SaysBeforehandHowManyTokensItSends) {
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]},"usage":null}})", test_key);
  const auto model = open_for_test(settings_for(server, GetParam()));
  const auto answer = model->ask(a_request(), {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(model->tokens_to_send(a_request()), estimate_tokens(to_string(*server.requests().at(0).find("body"))));
  EXPECT_EQ(answer->tokens, (TokenUse{model->tokens_to_send(a_request()), estimate_tokens(answer->text)}))
      << "where the provider counts nothing, the same estimate stands";
}

TEST_P(EveryProvider, GetsALargeRequestAndGivesALargeAnswer) {
  const std::string text(3'000'000, 'x');
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})", test_key);
  auto request = a_request();
  request.input += text;
  EXPECT_TRUE(open_for_test(settings_for(server, GetParam()))->ask(request, {}));
  const ModelServer talkative(R"({"otherwise":{"answer":")" + text + R"("}})", test_key);
  const auto answer = open_for_test(settings_for(talkative, GetParam()))->ask(a_request(), {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, text);
}

TEST(AModelWithoutAKey, SendsNone) {
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})");
  auto settings = settings_for(server, "ollama");
  settings.key_env.clear();
  ASSERT_TRUE(open_for_test(settings)->ask(a_request(), {}));
  EXPECT_EQ(server.requests().at(0).text_at("key"), "none, none wanted");
}

TEST(AWrongContentType, MattersAsLittleAsItDoesToTheProvidersOwnClients) {
  const ModelServer server(R"({"steps":[{"fault":"wrong_type","answer":{"operations":[]}}]})", test_key);
  EXPECT_TRUE(open_for_test(settings_for(server, "openai"))->ask(a_request(), {}));
}

// What ask() says once it is told to stop after `until`, and how long that took.
std::chrono::milliseconds cancelled_after(LanguageModel& model, const std::string& sign) {
  std::stop_source source;
  std::chrono::steady_clock::time_point stopped;
  std::jthread stopper([&] {
    while (!std::filesystem::exists(sign)) std::this_thread::yield();
    stopped = std::chrono::steady_clock::now();
    source.request_stop();
  });
  const auto answer = model.ask(a_request(), source.get_token());
  const auto ended = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("cancelled"));
  EXPECT_EQ(answer.error().code, ErrorCode::remote);
  return std::chrono::duration_cast<std::chrono::milliseconds>(ended - stopped);
}

TEST(Cancelling, EndsAQuestionThatIsBeingAnswered) {
  const TemporaryFolder folder;
  const std::string sign = (folder / "asked").string();
  for (const char* fault : {"stall", "slow_headers", "trickle"}) {
    const ModelServer server(R"({"steps":[{"fault":")" + std::string(fault) + R"(","every":0.2,"touch":")" + sign + R"("}]})",
                             test_key);
    const auto model = open_for_test(settings_for(server, "openai"), {});
    EXPECT_LT(cancelled_after(*model, sign).count(), 1'000) << fault;
    std::filesystem::remove(sign);
  }
}

TEST(Cancelling, EndsThePauseBetweenTwoTries) {
  const TemporaryFolder folder;
  const std::string sign = (folder / "asked").string();
  const ModelServer server(R"({"steps":[{"fault":"too_many","retry_after":600,"touch":")" + sign + R"("}]})", test_key);
  const auto model = open_for_test(settings_for(server, "openai"), {});
  EXPECT_LT(cancelled_after(*model, sign).count(), 1'000);
}

TEST(Cancelling, BeforeTheQuestionSendsNothing) {
  const ModelServer server("{}", test_key);
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(open_for_test(settings_for(server, "openai"))->ask(a_request(), source.get_token()));
  EXPECT_TRUE(server.requests().empty());
}

TEST(AProxyOfTheEnvironment, IsPassedByForAServerOnThisMachine) {
  for (const char* name : {"http_proxy", "ALL_PROXY", "all_proxy"}) ::setenv(name, "http://127.0.0.1:1", 1);
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})", test_key);
  auto settings = settings_for(server, "openai");
  settings.variable = [](const std::string& name) -> std::optional<std::string> {
    return name == "MODEL_KEY" ? test_key : "http://127.0.0.1:1";
  };
  EXPECT_TRUE(open_for_test(settings)->ask(a_request(), {}));
  for (const char* name : {"http_proxy", "ALL_PROXY", "all_proxy"}) ::unsetenv(name);
}

ModelSettings elsewhere_through(const ModelServer& proxy, const std::string& no_proxy) {
  auto settings = settings_for(proxy, "openai");
  settings.base_url = "https://model.invalid";
  settings.variable = [address = proxy.base_url(), no_proxy](const std::string& name) -> std::optional<std::string> {
    if (name == "MODEL_KEY") return test_key;
    if (name == "https_proxy") return address;
    return name == "no_proxy" ? std::optional(no_proxy) : std::nullopt;
  };
  return settings;
}

TEST(AProxyOfTheEnvironment, LeadsToOtherMachinesAndSeesNoKey) {
  const ModelServer proxy("{}", test_key);
  EXPECT_FALSE(open_for_test(elsewhere_through(proxy, ""))->ask(a_request(), {}));
  const auto requests = proxy.requests();
  ASSERT_FALSE(requests.empty());
  EXPECT_EQ(requests[0].text_at("connect"), "model.invalid:443");
  EXPECT_THAT(to_string(requests[0]), Not(HasSubstr(test_key)));
}

TEST(AProxyOfTheEnvironment, IsNotUsedWhereNoProxySaysSo) {
  const ModelServer proxy("{}", test_key);
  EXPECT_FALSE(open_for_test(elsewhere_through(proxy, ".invalid"))->ask(a_request(), {}));
  EXPECT_TRUE(proxy.requests().empty());
}

TEST(HttpsToAServerWhoseCertificateNobodyVouchesFor, SendsNothing) {
  const TemporaryFolder folder;
  const std::string pem = (folder / "server.pem").string();
  const std::string make =
      "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout '" + pem +
      "' -out '" + pem + ".crt' 2>/dev/null && cat '" + pem + ".crt' >> '" + pem + "'";
  ASSERT_EQ(std::system(make.c_str()), 0) << make;
  const ModelServer server(R"({"otherwise":{"answer":{"operations":[]}}})", test_key, {"--tls", pem});
  auto settings = settings_for(server, "openai");
  settings.base_url.replace(0, 4, "https");
  const auto answer = open_for_test(settings)->ask(a_request(), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("certificate"));
  EXPECT_TRUE(server.requests().empty());
}

}  // namespace
}  // namespace loci
