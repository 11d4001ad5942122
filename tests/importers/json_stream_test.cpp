#include "importers/json_stream.h"

#include <gmock/gmock.h>

#include <array>

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Elements {
  std::vector<std::string> taken, skipped;
  Status done;
};

// Handed over `piece` bytes at a time.
Elements elements_of(std::string_view text, size_t piece, std::span<const std::string_view> keys = {}) {
  Elements elements;
  const auto read = [&]() -> Result<std::string_view> {
    const std::string_view next = text.substr(0, piece);
    text.remove_prefix(next.size());
    return next;
  };
  elements.done = for_each_element(read, keys,
                                   {[&](const Json& json) -> Status {
                                      elements.taken.push_back(to_string(json));
                                      return {};
                                    },
                                    [&](const std::string& reason) { elements.skipped.push_back(reason); }});
  return elements;
}

TEST(JsonStream, HandsOverEachElementHoweverTheBytesAreCut) {
  constexpr std::string_view text = " [ {\"a\":\"]},{\\\"\"} ,\n[1,[2]], \"x,y\", 3, null ]\n";
  for (size_t piece = 1; piece <= text.size() + 3; ++piece) {
    const auto elements = elements_of(text, piece);
    EXPECT_TRUE(elements.done) << piece;
    EXPECT_THAT(elements.taken, ElementsAre(R"({"a":"]},{\""})", "[1,[2]]", "\"x,y\"", "3", "null")) << piece;
    EXPECT_THAT(elements.skipped, IsEmpty());
  }
}

TEST(JsonStream, SaysThatMoreFollowsAndKeepsWhatCameBefore) {
  constexpr std::array<std::string_view, 1> keys{"results"};
  for (const char* text : {"[1,2][3]", "[1,2]\n[3]\n", "[1,2] and so on", "[1,2]]", R"({"results":[1,2]}{"results":[3]})"}) {
    const auto elements = elements_of(text, 4, keys);
    ASSERT_FALSE(elements.done) << text;
    EXPECT_EQ(elements.done.error().code, ErrorCode::usage);
    EXPECT_THAT(elements.done.error().message, HasSubstr("there is more behind the end of its records"));
    EXPECT_THAT(elements.taken, ElementsAre("1", "2")) << text;
  }
}

TEST(JsonStream, FindsTheArrayUnderAKeyOfTheObject) {
  constexpr std::array<std::string_view, 2> keys{"results", "memories"};
  EXPECT_THAT(elements_of(R"({"n":[7],"x":{"results":[8]},"results":[1,2],"more":[9]})", 5, keys).taken, ElementsAre("1", "2"));
  EXPECT_THAT(elements_of(R"({"memories" : [ ]})", 5, keys).taken, IsEmpty());
  const auto none = elements_of(R"({"other":[1]})", 5, keys);
  ASSERT_FALSE(none.done);
  EXPECT_EQ(none.done.error().code, ErrorCode::usage);
}

TEST(JsonStream, AnElementThatIsNoneCostsOnlyItself) {
  const auto elements = elements_of(R"([{"a":1},{"a":nonsense},{"a":1,"a":2},{"b":2}])", 4);
  EXPECT_TRUE(elements.done);
  EXPECT_THAT(elements.taken, ElementsAre(R"({"a":1})", R"({"b":2})"));
  EXPECT_EQ(elements.skipped.size(), 2u);
}

TEST(JsonStream, ARecordThatNoPersonMadeCostsOnlyItselfAndIsNotBuilt) {
  const auto repeated = [](std::string_view one, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i) all += one;
    return all;
  };
  const std::string values = std::to_string(most_values_in_record);
  for (const auto& [record, why] :
       std::vector<std::pair<std::string, std::string>>{{"[0" + repeated(",0", most_values_in_record) + "]", values},
                                                        {"[[]" + repeated(",[]", most_values_in_record) + "]", values},
                                                        {"{\"a\":[{}" + repeated(",{}", most_values_in_record) + "]}", values},
                                                        {"\"" + std::string(largest_record, 'x') + "\"", "32 MiB"}}) {
    const auto elements = elements_of("[1,\n" + record + ",\"two\"]", 4096);
    EXPECT_TRUE(elements.done);
    EXPECT_THAT(elements.taken, ElementsAre("1", "\"two\""));
    EXPECT_THAT(elements.skipped, ElementsAre(testing::AllOf(HasSubstr("record 2, from byte 4 on"), HasSubstr(why))));
  }
  EXPECT_TRUE(parse_record("\"" + repeated(",[{\\\"", most_values_in_record) + "\"")) << "in a text they are no values";
}

TEST(JsonStream, AFileThatWasCutGivesWhatItHasAndAnError) {
  const auto elements = elements_of(R"([{"a":1},{"b":2},{"c":)", 4);
  EXPECT_THAT(elements.taken, ElementsAre(R"({"a":1})", R"({"b":2})"));
  ASSERT_FALSE(elements.done);
  EXPECT_THAT(elements.done.error().message, HasSubstr("middle of a record"));
  EXPECT_FALSE(elements_of("", 4).done);
  EXPECT_FALSE(elements_of("no json at all", 4).done);
}

TEST(JsonStream, WhatSaysThatItCannotGoOnStopsIt) {
  int seen = 0;
  std::string_view text = "[1,2,3]";
  const auto done = for_each_element([&]() -> Result<std::string_view> { return std::exchange(text, {}); }, {},
                                     {[&](const Json&) -> Status {
                                        ++seen;
                                        return fail(ErrorCode::failed, "full");
                                      },
                                      [](const std::string&) {}});
  EXPECT_FALSE(done);
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace loci::importers
