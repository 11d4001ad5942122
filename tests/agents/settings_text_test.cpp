#include "agents/settings_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using testing::ElementsAre;
using Path = std::vector<std::string>;

Json number(int value) { return Json(value); }

std::string with(std::string_view text, const Path& path, const Json& value) {
  const auto edit = add_member(text, path, value);
  EXPECT_TRUE(edit) << edit.error().message;
  return edit ? edit->text : "";
}

TEST(SettingsText, AMemberIsAddedBehindTheOthersAsTheyAreWritten) {
  EXPECT_EQ(with("{\n  \"a\": 1\n}\n", {"b"}, number(2)), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
  EXPECT_EQ(with("{\n\t\"a\": 1\n}", {"b", "c"}, number(2)), "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": 2\n\t}\n}");
  EXPECT_EQ(with("{\r\n    \"a\": 1\r\n}", {"b"}, number(2)), "{\r\n    \"a\": 1,\r\n    \"b\": 2\r\n}");
  EXPECT_EQ(with("{\"a\": 1}", {"b"}, number(2)), "{\"a\": 1, \"b\": 2}");
  EXPECT_EQ(with("{}", {"b"}, number(2)), "{\n  \"b\": 2\n}");
  EXPECT_EQ(with("", {"b"}, number(2)), "{\n  \"b\": 2\n}\n");
}

TEST(SettingsText, CommentsBareKeysAndTrailingCommasStay) {
  EXPECT_EQ(with("{\n  // mine\n  a: 'x', /* why */\n}\n", {"b"}, number(2)),
            "{\n  // mine\n  a: 'x',\n  \"b\": 2, /* why */\n}\n");
  EXPECT_EQ(with("{\n  \"a\": 1 // , not a comma\n}\n", {"b"}, number(2)), "{\n  \"a\": 1,\n  \"b\": 2 // , not a comma\n}\n");
}

TEST(SettingsText, CommentsStandWhereNothingElseDoesAndBesideWhatGoes) {
  EXPECT_EQ(with("{\n  // mine\n}\n", {"b"}, number(2)), "{\n  // mine\n  \"b\": 2\n}\n");
  const auto left = [](std::string_view text) { return remove_member(text, Path{"ours"})->text; };
  EXPECT_EQ(left("{\n  // mine\n  \"ours\": 2\n}\n"), "{\n  // mine\n}\n");
  EXPECT_EQ(left("{\n  \"a\": 1,\n  // mine\n  \"ours\": 2 // too\n}\n"), "{\n  \"a\": 1\n  // mine // too\n}\n");
  EXPECT_EQ(left("{\n  \"ours\": 2, // mine\n  \"a\": 1\n}\n"), "{ // mine\n  \"a\": 1\n}\n");
  EXPECT_EQ(left("{\n  \"a\": 1, /* , */\n  \"ours\": 2,\n  /* b */ \"b\": 3\n}\n"),
            "{\n  \"a\": 1, /* , */\n  /* b */ \"b\": 3\n}\n");
}

TEST(SettingsText, AnElementIsAddedToAListThatMayHaveToBeMade) {
  const auto made = add_element("{\n  \"a\": 1\n}\n", Path{"hooks", "Stop"}, Json("x"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->text, "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": [\n      \"x\"\n    ]\n  }\n}\n");
  EXPECT_THAT(made->added, ElementsAre("  \"hooks\": {", "    \"Stop\": [", "      \"x\"", "    ]", "  }"));
  const auto more = add_element(made->text, Path{"hooks", "Stop"}, Json("y"));
  ASSERT_TRUE(more);
  EXPECT_EQ(more->text, "{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": [\n      \"x\",\n      \"y\"\n    ]\n  }\n}\n");
}

TEST(SettingsText, WhatWasAddedCanBeTakenOutAgainToTheByte) {
  for (const std::string text : {"{\n  \"a\": 1\n}\n", "{\"a\": 1}", "{\n  \"b\": {\"c\": 1},\n  \"a\": 1\n}", "{}"}) {
    const auto added = add_member(text, Path{"ours"}, number(7));
    ASSERT_TRUE(added);
    EXPECT_EQ(remove_member(added->text, Path{"ours"})->text, text);
  }
}

TEST(SettingsText, TheElementsThatAreMeantGoWithTheirCommas) {
  const auto is_even = [](const Json& value) { return *value.as_integer() % 2 == 0; };
  const auto left = [&](std::string_view text) { return remove_elements(text, Path{"a"}, is_even)->text; };
  EXPECT_EQ(left(R"({"a": [2, 1, 4, 3, 6]})"), R"({"a": [1, 3]})");
  EXPECT_EQ(left(R"({"a": [2, 4]})"), R"({"a": []})");
  EXPECT_EQ(left(R"({"b": 1})"), R"({"b": 1})");
}

TEST(SettingsText, OfSeveralStepsOnlyLinesAreToldThatStoodThereBeforeOrStandThereAfterwards) {
  SettingsEditor editor("{\n  \"hooks\": {\n    \"Stop\": [\n      \"ours\"\n    ]\n  },\n  \"a\": 1\n}\n");
  const Path list{"hooks", "Stop"};
  const auto is_ours = [](const Json& value) { return value == Json("ours"); };
  ASSERT_TRUE(editor.apply([&](std::string_view text) { return remove_elements(text, list, is_ours); }));
  ASSERT_TRUE(remove_if_empty(editor, list));
  ASSERT_TRUE(remove_if_empty(editor, {"hooks"}));
  const SettingsEdit edit = editor.take();
  EXPECT_EQ(edit.text, "{\n  \"a\": 1\n}\n");
  EXPECT_THAT(edit.removed, ElementsAre("      \"ours\""));
  EXPECT_THAT(edit.added, ElementsAre());
}

TEST(SettingsText, WhatIsNoObjectOrThereAlreadyIsRefused) {
  EXPECT_EQ(add_member(R"({"a": [1]})", Path{"a", "b"}, number(1)).error().code, ErrorCode::refused);
  EXPECT_EQ(add_member(R"({"a": 1})", Path{"a"}, number(1)).error().code, ErrorCode::refused);
  EXPECT_EQ(add_element(R"({"a": {}})", Path{"a"}, number(1)).error().code, ErrorCode::refused);
}

TEST(SettingsText, OfEqualKeysTheLastCountsWhereTheFirstStands) {
  EXPECT_EQ(to_string(parse_settings(R"({"a": 1, "b": [2, 2], "a": {"c": 3, "c": 4}})")->to_json()), R"({"a":{"c":4},"b":[2,2]})");
}

TEST(SettingsText, WhatCannotBeReadIsToldWithItsLine) {
  for (const char* bad : {"{\n\n\"a\": }", "{\n\n\"a\" 1}", "{\n\n\"a\": \"x\n\"}", "{\n\n\"a\": 1} x", "{\n\n", "{\n\n/* }"}) {
    const auto parsed = parse_settings(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_EQ(parsed.error().line, 3) << bad;
  }
  EXPECT_FALSE(parse_settings(std::string(100'000, '[')));
}

}  // namespace
}  // namespace loci
