#include "memory/remember.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(ParseRememberRequest, ReadsWhatAnAgentSends) {
  const auto request = parse_remember_request(
      R"({"action":"update","layer":"L0","content":"tea","target_id":"x","section":"Personal","tags":["a"]})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->action, RememberRequest::Action::update);
  EXPECT_EQ(request->layer, Layer::L0);
  EXPECT_EQ(request->content, "tea");
  EXPECT_EQ(request->target_id, "x");
  EXPECT_EQ(request->section, "Personal");
  EXPECT_EQ(request->tags, std::vector<std::string>{"a"});
}

struct RequestCase {
  std::string json;
  ErrorCode code;
};

TEST(ParseRememberRequest, RefusesWhatItMustNotDo) {
  const RequestCase cases[] = {
      {R"({"action":"add","layer":"L2","content":"x"})", ErrorCode::refused},
      {R"({"action":"add","layer":"L3","content":"x"})", ErrorCode::usage},
      {R"({"action":"shout","content":"x"})", ErrorCode::usage},
      {R"({"action":"add"})", ErrorCode::usage},
      {R"({"action":"update","content":"x"})", ErrorCode::usage},
      {R"({"action":"remove"})", ErrorCode::usage},
      {R"({"content":"x","source":"user"})", ErrorCode::usage},
      {R"({"content":["x"]})", ErrorCode::usage},
      {R"({"content":"x","tags":"a"})", ErrorCode::usage},
      {"[]", ErrorCode::usage},
      {"", ErrorCode::usage},
  };
  for (const RequestCase& one : cases) {
    const auto request = parse_remember_request(one.json);
    ASSERT_FALSE(request) << one.json;
    EXPECT_EQ(request.error().code, one.code) << one.json;
  }
}

TEST(ParseRememberRequest, TakesAsManyTagsAsElsewhere) {
  const auto with_tags = [](size_t count) {
    std::string tags;
    for (size_t i = 0; i < count; ++i) tags += (tags.empty() ? "\"t" : ",\"t") + std::to_string(i) + '"';
    return parse_remember_request(R"({"content":"x","tags":[)" + tags + "]}");
  };
  EXPECT_TRUE(with_tags(100));
  ASSERT_FALSE(with_tags(101));
  EXPECT_EQ(with_tags(101).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace loci
