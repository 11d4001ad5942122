#include "operations/values.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

constexpr Parameter parameters[] = {
    {"--q", "QUERY", ValueKind::text, "what to look for", false, "query", true},
    {"--tag", "TAG", ValueKind::tag, "only with this tag", true, "tags"},
    {"--layer", "LAYER", ValueKind::layer, "only this layer", true},
    {"--limit", "N", ValueKind::number, "at most so many", false, {}, false, 1, 50},
    {"--history", "", ValueKind::none, "the past too"},
    {"--inactive", "", ValueKind::none, "what was forgotten", false, {}, false, 0, 0, true},
};

Result<Values> check(const char* json, Actor actor = Actor::agent) {
  return check_values(parameters, parse_json(json).value(), actor);
}

TEST(ValuesOfAnOperation, AreTypedAndUnderTheKeysOfJson) {
  const auto values = check(R"({"query":"tea","tag":"a","layer":["L1","L2"],"limit":7,"history":true,"inactive":null})");
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->text("query"), "tea");
  EXPECT_EQ(values->texts("tags"), std::vector<std::string>{"a"});
  EXPECT_EQ(values->texts("layer"), (std::vector<std::string>{"L1", "L2"}));
  EXPECT_EQ(values->number("limit"), 7);
  EXPECT_TRUE(values->flag("history"));
  EXPECT_FALSE(values->has("inactive"));
}

TEST(ValuesOfAnOperation, ThereAreAsManyTagsAsElsewhere) {
  const auto with_tags = [](size_t count) {
    Json given = Json::object();
    given.add_unchecked("query", "x");
    given.add_unchecked("tags", std::vector<std::string>(count, "a"));
    return check_values(parameters, given, Actor::agent);
  };
  EXPECT_TRUE(with_tags(100));
  ASSERT_FALSE(with_tags(101));
  EXPECT_EQ(with_tags(101).error().message, "has 101 tags; at most 100");
}

TEST(ValuesOfAnOperation, ASessionOfBlanksIsNone) {
  constexpr Parameter sessions[] = {{"--session", "ID", ValueKind::session, "the session"}};
  for (const char* blank : {R"({"session":""})", R"({"session":"  "})", R"({"session":" \t\n"})"})
    EXPECT_FALSE(check_values(sessions, parse_json(blank).value(), Actor::agent)->has("session")) << blank;
  EXPECT_EQ(check_values(sessions, parse_json(R"({"session":" s "})").value(), Actor::agent)->text("session"), " s ");
}

TEST(ValuesOfAnOperation, SayWhatIsWrongAndWhatWouldDo) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"([])", "no JSON object"},
      {R"({})", "'query' is missing"},
      {R"({"query":""})", "'query' is empty"},
      {R"({"query":7})", "'query' has the wrong type"},
      {R"({"query":"x","colour":"red"})", "unknown parameter 'colour'"},
      {R"({"query":"x","limit":0})", "from 1 to 50, not '0'"},
      {R"({"query":"x","limit":51})", "from 1 to 50, not '51'"},
      {R"({"query":"x","limit":"many"})", "'limit' has the wrong type"},
      {R"({"query":"x","limit":1.5})", "'limit' has the wrong type"},
      {R"({"query":"x","layer":"L9"})", "none of L0, L1, L2"},
      {R"({"query":"x","tags":[1]})", "'tags' has the wrong type"},
      {R"({"query":"x","tags":{"a":1}})", "'tags' has the wrong type"},
      {R"({"query":"x","history":"yes"})", "'history' has the wrong type"},
      {R"({"query":"x","tag":"a","tags":["b"]})", "'tags' is given twice"},
  };
  for (const auto& [json, message] : wrong) {
    const auto values = check(json);
    ASSERT_FALSE(values) << json;
    EXPECT_EQ(values.error().code, ErrorCode::usage) << json;
    EXPECT_NE(values.error().message.find(message), std::string::npos) << json << ": " << values.error().message;
  }
  EXPECT_NE(check(R"({"query":"x","colour":1})").error().hint.find("query, tags, layer"), std::string::npos);
}

TEST(ValuesOfAnOperation, SomeAreAPersonsToGive) {
  EXPECT_EQ(check(R"({"query":"x","inactive":true})").error().code, ErrorCode::refused);
  EXPECT_TRUE(check(R"({"query":"x","inactive":true})", Actor::person));
}

TEST(ValuesOfAQuery, AreReadAsWhatTheyMean) {
  const auto json = json_of_query(
      parameters, {{"q", "tea"}, {"tag", "a,b,,"}, {"limit", "9999999999999999999999"}, {"history", ""}, {"layer", ""}});
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(to_string(*json), R"({"history":true,"limit":50,"q":"tea","tag":["a","b"]})");
  EXPECT_TRUE(check_values(parameters, *json, Actor::agent));
  for (const auto& [name, text] : QueryTexts{{"limit", "-1"}, {"history", "maybe"}, {"colour", "red"}}) {
    const auto read = json_of_query(parameters, {{"q", "x"}, {name, text}});
    EXPECT_FALSE(read && check_values(parameters, *read, Actor::agent)) << name;
  }
}

}  // namespace
}  // namespace loci
