#include "http/target.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Target, IsAPathAndItsDecodedParameters) {
  const auto target = parse_target("/memory/search?q=what+is%20this%3F&limit=3&flag&empty=");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/memory/search");
  EXPECT_EQ(target->query.at("q"), "what is this?");
  EXPECT_EQ(target->query.at("limit"), "3");
  EXPECT_EQ(target->query.at("flag"), "");
  EXPECT_EQ(target->query.at("empty"), "");
}

TEST(Target, DecodesAPathOnceAndLeavesItsPluses) {
  EXPECT_EQ(parse_target("/memory/sessions/a%2Fb+c%2520")->path, "/memory/sessions/a/b+c%20");
  EXPECT_EQ(parse_target("/%E2%82%AC")->path, "/€");
}

TEST(Target, SkipsEmptyParameters) { EXPECT_EQ(parse_target("/x?&a=1&&")->query.size(), 1U); }

TEST(Target, RefusesWhatCouldMeanSomethingElseElsewhere) {
  for (const char* target : {"", "*", "memory", "http://127.0.0.1/memory", "/%", "/%4", "/%zz", "/%0", "/a%00b", "/%ff", "/%c3%28",
                             "/a#b", "/x?q=%", "/x?q=%00", "/x?%fe=1", "/x?q=%ed%a0%80", "/x?a=1&a=2", "/x?a=1&%61=1", "/x?a&a"}) {
    const auto parsed = parse_target(target);
    ASSERT_FALSE(parsed) << target;
    EXPECT_EQ(parsed.error().code, ErrorCode::usage) << target;
  }
}

TEST(Target, WhatIsPercentEncodedComesBackAsItWas) {
  const std::string text = "a b/c?d=e&f#g%h+i€\n~-._";
  EXPECT_EQ(parse_target("/" + percent_encoded(text))->path, "/" + text);
  EXPECT_EQ(parse_target("/?q=" + percent_encoded(text))->query.at("q"), text);
}

}  // namespace
}  // namespace loci
