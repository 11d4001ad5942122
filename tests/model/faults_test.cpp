// Every fault of a model server, over real loopback HTTP: what comes out is an error that says what happened, or the answer of a
// later try; and the key stays where it belongs.
#include <gmock/gmock.h>

#include "base/log.h"
#include "tests/model/asked_model.h"

namespace loci {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Fault {
  std::string name;
  std::string step;     // a step of the script, for every request
  std::string message;  // of the error
  size_t requests = 1;  // how many came
  int timeout = 10;     // seconds
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

std::string always(const std::string& step) { return R"({"steps":[{"times":"always",)" + step.substr(1) + "]}"; }

class ModelFaults : public ::testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(ModelFaults, EndInAnErrorThatSaysWhatHappened) {
  const auto& [provider, fault] = GetParam();
  const ModelServer server(always(fault.step), test_key);
  auto settings = settings_for(server, provider);
  settings.timeout = std::chrono::seconds(fault.timeout);
  const auto model = open_for_test(settings);
  const auto answer = model->ask(a_request(), {});
  ASSERT_FALSE(answer) << answer->text;
  EXPECT_EQ(answer.error().code, ErrorCode::remote);
  EXPECT_THAT(answer.error().message, AllOf(HasSubstr(fault.message), HasSubstr("m (" + provider + ", small): ")));
  EXPECT_THAT(answer.error().message + answer.error().hint, Not(HasSubstr(test_key)));
  EXPECT_EQ(answer.error().message.find_first_of("\n\r\x1b"), std::string::npos);
  const auto requests = server.requests();
  EXPECT_EQ(requests.size(), fault.requests);
  for (const Json& request : requests) {
    EXPECT_EQ(request.text_at("where"), "here") << "the key has been seen elsewhere";
    EXPECT_EQ(request.text_at("key"), "right");
    EXPECT_EQ(request.find("invalid"), nullptr) << to_string(request);
  }
}

const std::vector<Fault> faults = {
    {"TooMany", R"({"fault":"too_many"})", "status 429: a scripted 429", 3},
    {"TooManyForLong", R"({"fault":"too_many","retry_after":3600})", "status 429", 1},
    {"Overloaded", R"({"fault":"overloaded"})", "status 529", 3},
    {"Broken", R"({"fault":"status","status":500})", "status 500", 3},
    {"Unavailable", R"({"fault":"status","status":503,"message":"in a moment"})", "status 503: in a moment", 3},
    {"BadRequest", R"({"fault":"status","status":400})", "status 400", 1},
    {"NoSuchModel", R"({"fault":"status","status":404})", "status 404", 1},
    {"Hostile", R"({"fault":"hostile_error"})", "status 400: [2J key [key] xxx", 1},
    {"HungUp", R"({"fault":"hang_up"})", "", 3},
    {"Stall", R"({"fault":"stall"})", "no answer within 1 s", 1, 1},
    {"Trickle", R"({"fault":"trickle","every":1})", "has stalled", 3},
    {"SlowHeaders", R"({"fault":"slow_headers","every":0.5})", "has stalled", 3},
    {"EndlessHeaders", R"({"fault":"endless_headers"})", "the answer is too large", 1},
    {"Reset", R"({"fault":"reset"})", "", 3},
    {"Close", R"({"fault":"close"})", "", 3},
    {"Large", R"({"fault":"large"})", "the answer is too large", 1},
    {"Bomb", R"({"fault":"bomb"})", "compressed", 1},
    {"Redirect", R"({"fault":"redirect"})", "redirects are not followed", 1},
    {"Moved", R"({"fault":"redirect","status":301})", "redirects are not followed", 1},
    {"EmptyBody", R"({"fault":"empty_body"})", "the answer has no", 1},
    {"Html", R"({"fault":"html"})", "the answer is no JSON", 1},
    {"Length", R"({"fault":"length"})", "it stopped with '", 1},
    {"Refusal", R"({"fault":"refusal"})", "", 1},
    {"OddStop", R"({"answer":"{}","stop_reason":"tool_use"})", "it stopped with 'tool_use'", 1},
    {"NoText", R"({"answer":""})", "the answer has no text", 1},
};

INSTANTIATE_TEST_SUITE_P(, ModelFaults,
                         ::testing::Combine(::testing::Values("openai", "anthropic", "ollama"), ::testing::ValuesIn(faults)),
                         [](const auto& test) { return std::get<0>(test.param) + std::get<1>(test.param).name; });

TEST(SpentQuota, IsNotAskedAgain) {
  const ModelServer server(always(R"({"fault":"quota"})"), test_key);
  const auto answer = open_for_test(settings_for(server, "openai"))->ask(a_request(), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().hint, HasSubstr("nothing left"));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(AWrongKey, IsSaidOnce) {
  const ModelServer server("{}", "another");
  const auto answer = open_for_test(settings_for(server, "anthropic"))->ask(a_request(), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("status 401"));
  EXPECT_THAT(answer.error().hint, HasSubstr("key"));
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(AFaultThatPasses, IsFollowedByTheAnswer) {
  const ModelServer server(R"({"steps":[{"fault":"reset"},{"fault":"overloaded"},{"answer":{"operations":[]}}]})", test_key);
  const auto model = open_for_test(settings_for(server, "anthropic"));
  const auto answer = model->ask(a_request(), {});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, R"({"operations": []})");
  EXPECT_EQ(server.requests().size(), 3u);
  EXPECT_FALSE(model->last_failure().retry_after);
}

TEST(RetryAfter, IsWaitedForAndThenAsked) {
  const ModelServer server(R"({"steps":[{"fault":"too_many","retry_after":1},{"answer":{"operations":[]}}]})", test_key);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(open_for_test(settings_for(server, "openai"))->ask(a_request(), {}));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(RetryAfter, OfMoreThanThePolicyWaitsIsLeftToTheCaller) {
  for (const char* wanted : {"3600", "\"date+3600\""}) {
    const ModelServer server(always(R"({"fault":"too_many","retry_after":)" + std::string(wanted) + "}"), test_key);
    const auto model = open_for_test(settings_for(server, "openai"));
    EXPECT_FALSE(model->last_failure().retry_after);
    ASSERT_FALSE(model->ask(a_request(), {}));
    ASSERT_TRUE(model->last_failure().retry_after) << wanted;
    EXPECT_NEAR(static_cast<double>(model->last_failure().retry_after->count()), 3'600'000, 2'000) << wanted;
  }
}

TEST(AGatewayThatAnswers200, MayStillHaveFailed) {
  const ModelServer server(R"({"steps":[{"fault":"error_as_answer"}]})", test_key);
  const auto answer = open_for_test(settings_for(server, "openai"))->ask(a_request(), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("it failed: no provider"));
}

TEST(WhatAServerSays, IsInTheErrorAndNotInTheLog) {
  const ModelServer server(always(R"({"fault":"status","status":500,"message":"you asked about tea"})"), test_key);
  start_log(LogLevel::info, false);
  ::testing::internal::CaptureStderr();
  const auto answer = open_for_test(settings_for(server, "openai"))->ask(a_request(), {});
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, AllOf(HasSubstr("status 500; trying again in "), Not(HasSubstr("tea")), Not(HasSubstr(test_key))));
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("you asked about tea"));
}

TEST(AnAnswerThatCannotBeUsed, HasCostTokens) {
  const ModelServer server(R"({"steps":[{"answer":"{\"a\":","stop_reason":"length","usage":{"input":700,"output":1000}}]})",
                           test_key);
  const auto model = open_for_test(settings_for(server, "openai"));
  ASSERT_FALSE(model->ask(a_request(), {}));
  EXPECT_EQ(model->last_failure().tokens, (TokenUse{700, 1'000}));
}

TEST(SilenceBeforeTheFirstByte, IsAModelThatThinks) {
  const ModelServer server(R"({"steps":[{"answer":{"operations":[]},"delay":1}]})", test_key);
  EXPECT_TRUE(open_for_test(settings_for(server, "ollama"))->ask(a_request(), {})) << "longer than a stall may last";
}

TEST(AnAnswerAfterADecoy, IsHandedOnWhole) {
  const ModelServer server(R"({"steps":[{"fault":"decoy","answer":{"operations":[]}}]})", test_key);
  const auto answer = open_for_test(settings_for(server, "openai"))->ask(a_request(), {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, R"(First: {"thoughts":[]} Now: {"operations": []})");
}

TEST(NoServerAtAll, IsTriedAgain) {
  ModelSettings settings;
  {
    const ModelServer server;
    settings = settings_for(server, "ollama");
  }
  const auto answer = open_for_test(settings)->ask(a_request(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::remote);
  EXPECT_THAT(answer.error().message, HasSubstr("connect"));
}

}  // namespace
}  // namespace loci
