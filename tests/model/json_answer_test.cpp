#include "model/json_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "model/fence.h"
#include "tests/parser/nasty_text.h"
#include "tests/support/processor_time.h"

namespace loci {
namespace {

using ::testing::HasSubstr;

constexpr std::array<std::string_view, 1> operations = {"operations"};

// The answer as JSON in one line, or "code: message".
std::string found(std::string_view text, std::span<const std::string_view> keys = operations) {
  const auto answer = find_json_answer(text, keys);
  if (answer) return to_string(*answer);
  return std::string(name_of(answer.error().code)) + ": " + answer.error().message;
}

struct Case {
  std::string_view name, text, wanted;
};

class AnAnswer : public ::testing::TestWithParam<Case> {};

TEST_P(AnAnswer, IsTheFirstCompleteObjectWithTheKeys) { EXPECT_THAT(found(GetParam().text), HasSubstr(GetParam().wanted)); }

INSTANTIATE_TEST_SUITE_P(
    Found, AnAnswer,
    ::testing::Values(Case{"Bare", R"({"operations":[]})", R"({"operations":[]})"},
                      Case{"Spread", "\n{ \"operations\" : [ 1 , -2.5e3, true, null ] }\n",
                           R"({"operations":[1,-2500.0,true,null]})"},
                      Case{"ProseAround", R"(Sure! {"operations":[1]} I hope that helps {smile}.)", R"({"operations":[1]})"},
                      Case{"ACodeFence", "```json\n{\"operations\":[1]}\n```\n", R"({"operations":[1]})"},
                      Case{"BracesInProse", R"(As {asked}, {in {braces}}: {"operations":[1]})", R"({"operations":[1]})"},
                      Case{"AFormNamed", R"(In the form {"operations": …} it is {"operations":[1]})", R"({"operations":[1]})"},
                      Case{"ADecoyBefore", R"({"thoughts":"none"} {"operations":[1]})", R"({"operations":[1]})"},
                      Case{"TheFirstOfTwo", R"({"operations":[1]} {"operations":[2]})", R"({"operations":[1]})"},
                      Case{"BracesInStrings", R"({"operations":["}{","\"}","\\"]})", R"({"operations":["}{","\"}","\\"]})"},
                      Case{"MoreKeys", R"({"v":1,"operations":[]})", R"({"v":1,"operations":[]})"},
                      Case{"AnErrorThenAnAnswer", R"({"operations":[1,]} {"operations":[2]})", R"({"operations":[2]})"}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Refused, AnAnswer,
    ::testing::Values(Case{"Nothing", "", "refused: the model's answer holds no JSON object, and none with 'operations'"},
                      Case{"Prose", "I would rather not.", "refused: the model's answer holds no JSON object"},
                      Case{"Empty", "{}", "only other JSON objects"}, Case{"AnArray", R"(["operations"])", "no JSON object"},
                      Case{"CutOffInAString", R"({"operations":[{"op":"AD)", "cut off"},
                      Case{"CutOffInAnEscape", R"({"operations":["a\)", "cut off"},
                      Case{"CutOffAfterAColon", R"({"operations":)", "cut off"},
                      Case{"CutOffInANumber", R"({"operations":[1)", "cut off"},
                      Case{"CutOffAroundAnother", R"({"answer":[{"operations":[]},)", "cut off"},
                      Case{"InsideOfAnother", R"({"answer":{"operations":[]}})", "only other JSON objects"},
                      Case{"InsideOfAString", R"({"answer":"{\"operations\":[]}"})", "only other JSON objects"},
                      Case{"ADoubledKey", R"({"operations":[],"operations":[1]})",
                           "cannot be read (the key 'operations' stands twice)"},
                      Case{"ABadNumber", R"({"operations":[01]})", "cannot be read"},
                      Case{"ALineBreakInAString", "{\"operations\":[\"a\nb\"]}", "no JSON object"},
                      Case{"SingleQuotes", "{'operations':[]}", "no JSON object"},
                      Case{"InvalidUtf8", "{\"operations\":[\"\xFF\"]}", "cannot be read"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(AnAnswerOfSeveralKeys, HasThemAllAtItsTop) {
  constexpr std::array<std::string_view, 2> keys = {"a", "b"};
  EXPECT_EQ(found(R"({"a":1} {"b":{"a":1,"b":2}} {"b":1,"a":2})", keys), R"({"b":1,"a":2})");
  EXPECT_THAT(found(R"({"a":1})", keys), HasSubstr("none with 'a', 'b'"));
}

TEST(TheSearchForAnAnswer, FindsItBetweenAnyProseAndNeverInsideOfWhatItQuotes) {
  EXPECT_TRUE(rc::check("found", [] {
    const auto noise = rc::gen::container<std::string>(rc::gen::element('{', '}', ' ', 'a', '\n', '[', ','));
    const auto quoted = rc::gen::container<std::string>(rc::gen::element('{', '}', '"', '\\', 'a', '[', ':', '\n'));
    for (size_t i = 0; i < scaled(5); ++i) {
      const std::string answer = R"({"operations":[)" + fenced(*quoted + R"({"operations":[]})") + "]}";
      RC_ASSERT(found(*noise + answer + *noise) == to_string(*parse_json(answer)));
    }
  }));
}

TEST(TheSearchForAnAnswer, RefusesOneCutOffAnywhere) {
  const std::string whole = R"({"operations":[{"op":"ADD","facts":[1,2],"text":"a \"b\" {c}","about":["x"]},{"operations":[]}]})";
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(found(std::string_view(whole).substr(0, length)), ::testing::StartsWith("refused: ")) << length;
}

TEST(TheSearchForAnAnswer, IsLinearInBracesThatOpenAndNeverEnd) {
  const auto time_for = [](const std::string& piece, size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return processor_time_of([&] { EXPECT_FALSE(find_json_answer(text, operations)); });
  };
  for (const std::string& piece :
       {std::string("{"), std::string("{\"a\":"), "[{\"a\":[" + std::string(5'000, ' '), std::string("{\"a\":{}, ")}) {
    const auto small = std::max(time_for(piece, size_t{1} << 16), std::chrono::nanoseconds(std::chrono::milliseconds(1)));
    EXPECT_LT(time_for(piece, size_t{1} << 20), 64 * small)
        << piece.substr(0, 8) << ": 16 times the text, quadratic is 256 times the work";
  }
}

}  // namespace
}  // namespace loci
