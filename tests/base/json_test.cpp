#include "base/json.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Json, KeepsTheOrderOfKeys) {
  const auto value = parse_json(R"({"z":1,"a":[true,null,-2.5,"ü"],"m":{}})");
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), R"({"z":1,"a":[true,null,-2.5,"ü"],"m":{}})");
}

TEST(Json, TellsIntegersFromNumbers) {
  const auto value = parse_json("[9007199254740993, 1.0, 18446744073709551615]");
  ASSERT_TRUE(value);
  const auto& array = *value->as_array();
  ASSERT_TRUE(array[0].as_integer());
  EXPECT_EQ(*array[0].as_integer(), 9007199254740993);
  EXPECT_FALSE(array[1].as_integer());
  EXPECT_TRUE(array[1].is_number());
  EXPECT_FALSE(array[2].as_integer());
}

TEST(Json, HalvesOfCharactersAreMendedWhereThatIsAsked) {
  const std::string high = R"(["a\ud83d"])", low = R"(["\udc4d b"])", swapped = R"(["\udc4d\ud83d"])", bytes = "[\"\xc3 c\"]";
  for (const std::string& text : {high, low, swapped, bytes}) {
    EXPECT_FALSE(parse_json(text)) << text;
    EXPECT_TRUE(parse_json(text, {.mends_characters = true})) << text;
  }
  EXPECT_EQ(to_string(*parse_json(high, {.mends_characters = true})), "[\"a\uFFFD\"]");
  EXPECT_EQ(to_string(*parse_json(low, {.mends_characters = true})), "[\"\uFFFD b\"]");
  EXPECT_EQ(to_string(*parse_json(swapped, {.mends_characters = true})), "[\"\uFFFD\uFFFD\"]");
  EXPECT_EQ(to_string(*parse_json(bytes, {.mends_characters = true})), "[\"\uFFFD c\"]");
}

TEST(Json, MendingLeavesWholeCharactersAndWhatOnlyLooksLikeAnEscape) {
  const auto value = parse_json(R"(["\ud83d\udc4d","\\ud83d","\ud83d"])", {.mends_characters = true});
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), "[\"\U0001F44D\",\"\\\\ud83d\",\"\uFFFD\"]");
  EXPECT_FALSE(parse_json("[\"\\ud83d\"", {.mends_characters = true}));
}

TEST(Json, ADuplicateKeyIsRefusedInSmallAndLargeObjects) {
  const auto small = parse_json(R"({"a":1,"a":2})");
  ASSERT_FALSE(small);
  EXPECT_NE(small.error().message.find("'a'"), std::string::npos);

  std::string large = "{";
  for (int i = 0; i < 100; ++i) large += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(parse_json(large + "\"other\":0}"));
  EXPECT_FALSE(parse_json(large + "\"k3\":0}"));
  EXPECT_FALSE(parse_json(large + "\"k99\":0}"));
}

TEST(Json, DepthIsBoundedWhileReading) {
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']')));
  const auto deep = parse_json(std::string(1'000'000, '['));
  ASSERT_FALSE(deep);
  EXPECT_NE(deep.error().message.find("64"), std::string::npos);
}

TEST(Json, SizeIsBoundedBeforeReading) { EXPECT_FALSE(parse_json("[1,2,3]", {.bytes = 6, .depth = 64})); }

TEST(Json, WhatIsNotJsonIsRefusedWithItsPlace) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "nul", "{} x", "\"\xff\"", "'a'"}) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::usage);
    EXPECT_NE(value.error().message.find("byte"), std::string::npos) << text;
  }
}

TEST(Json, InvalidTextIsWrittenAsReplacementCharacters) { EXPECT_EQ(to_string(Json("a\xff")), "\"a\xEF\xBF\xBD\""); }

TEST(Json, WritesOnOneLineOrOnAsManyAsAPersonReads) {
  const auto value = parse_json(R"({"a":[1,-2.5,true,null,[],{}],"b":{"c":"x"}})");
  ASSERT_TRUE(value);
  EXPECT_EQ(to_string(*value), R"({"a":[1,-2.5,true,null,[],{}],"b":{"c":"x"}})");
  EXPECT_EQ(to_pretty_string(*value),
            "{\n  \"a\": [\n    1,\n    -2.5,\n    true,\n    null,\n    [],\n    {}\n  ],\n  \"b\": {\n    \"c\": \"x\"\n  }\n}");
}

TEST(Json, EveryCharacterIsWrittenSoThatItIsReadBack) {
  std::string text;
  for (char c = 0; c < 0x7F; ++c) text += c;
  text += "\x7F\u00E4\u20AC\U0001F600";
  const std::string written = to_string(Json(text));
  EXPECT_TRUE(written.starts_with(R"("\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e)"));
  EXPECT_NE(written.find(R"(\u001f !\"#)"), std::string::npos);
  EXPECT_NE(written.find(R"([\\])"), std::string::npos);
  const auto read = parse_json(written);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->as_string(), text);
}

TEST(Json, SetReplacesInPlace) {
  Json value;
  value.set("a", 1);
  value.set("b", 2);
  value.set("a", 3);
  EXPECT_EQ(to_string(value), R"({"a":3,"b":2})");
}

}  // namespace
}  // namespace loci
