#include <gtest/gtest.h>

#include <cmath>

#include "context/data_text.h"
#include "context/read_request.h"
#include "context/sentences.h"
#include "context/similarity.h"
#include "context/used.h"
#include "memory/forget.h"
#include "tests/context/context_fixture.h"
#include "vault/logs/recall_log.h"

namespace loci {
namespace {

TEST(DataText, NothingOpensATagAndNothingIsTornOverLines) {
  EXPECT_EQ(as_data("a < b && c > d\n\"x\""), "a &lt; b &amp;&amp; c &gt; d\n\"x\"");
  EXPECT_EQ(as_data_line(" \t two\r\n\r\nlines\x01 and\xE2\x80\xA8one\xC2\xA0more "), "two lines and one more");
  EXPECT_EQ(as_data_line("bad \xFF byte"), "bad \xEF\xBF\xBD byte");
}

TEST(DataText, WordsAreTheSameInOtherMarks) {
  EXPECT_EQ(joined_words_of("**The boat**, Ünder-way!"), joined_words_of("the boat under way"));
  EXPECT_NE(joined_words_of("the boat"), joined_words_of("the goat"));
}

TEST(Sentences, EndAtMarksLineEndsAndTheirCjkForms) {
  using Views = std::vector<std::string_view>;
  EXPECT_EQ(sentences_of("One v1.2 file. Two!  Three?\nFour 五。六"),
            (Views{"One v1.2 file.", "Two!", "Three?", "Four 五。", "六"}));
  EXPECT_EQ(sentences_of(" \n\n"), Views{});
}

TEST(Sentences, ALongTextIsCutToTheSentencesAroundTheMatch) {
  const TokenCounter counter(Encoding::cl100k_base);
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += i == 60 ? "The mast of the Petrel is spruce. " : "Sentence " + std::to_string(i) + " is about nothing much. ";
  const std::string line = line_around_match(text, stems_without_function_words("which mast has the Petrel"), counter);
  EXPECT_LE(counter.count(line).tokens, longest_text);
  EXPECT_GT(counter.count(line).tokens, longest_text - 30);
  EXPECT_TRUE(line.starts_with("… Sentence ") && line.ends_with(" …")) << line;
  EXPECT_TRUE(line.contains("59 is about nothing much. The mast of the Petrel is spruce. Sentence 61")) << line;
}

TEST(Sentences, ASentenceThatIsTooLongByItselfLosesItsEndButTearsNoEscape) {
  const TokenCounter counter(Encoding::cl100k_base);
  for (const std::string& part : {std::string("&"), std::string("記"), std::string("word ")}) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += part;
    const std::string line = line_around_match(text, {}, counter);
    EXPECT_LE(counter.count(line).tokens, longest_text);
    EXPECT_TRUE(line.ends_with("…"));
    EXPECT_TRUE(part != "&" || line.ends_with("&amp;…")) << line;
  }
}

class SimilarityTest : public ContextTest {};

TEST_F(SimilarityTest, IsTheCosineOfTfIdfOverTheStemsOfActiveL1) {
  write("consolidated/memory.md", entry("a", "boats boat sail") + entry("b", "sail cat") + entry("c", "dog"));
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "boat boat sail"));
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  auto similarity = Similarity::to(*memory.reader().value(), "the boat and the cat").value();
  const double boat = std::log(4.0 / 2) + 1, sail = std::log(4.0 / 3) + 1, cat = std::log(4.0 / 2) + 1;
  const double tf_two = 1 + std::log(2.0);
  const double context = std::sqrt(boat * boat + cat * cat);
  const double a = std::sqrt(tf_two * boat * tf_two * boat + sail * sail), b = std::sqrt(sail * sail + cat * cat);
  EXPECT_NEAR(similarity.of("boats boat sail").value(), tf_two * boat * boat / (a * context), 1e-12);
  EXPECT_NEAR(similarity.of("sail cat").value(), cat * cat / (b * context), 1e-12);
  EXPECT_EQ(similarity.of("dog").value(), 0);
  EXPECT_EQ(similarity.of("and the").value(), 0);
  EXPECT_NEAR(similarity.of("boat cat").value(), 1, 1e-12);
}

TEST_F(SimilarityTest, HowManyFactsHaveAStemFollowsEveryChange) {
  write("consolidated/memory.md", entry("a", "boats boat sail") + entry("b", "sail cat"));
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "boat boat sail"));
  Memory memory = open();
  const auto with = [&](const char* stem) {
    EXPECT_TRUE(memory.bring_up_to_date());
    return memory.reader().value()->facts_with(stem).value();
  };
  EXPECT_EQ(with("sail"), 2U);
  EXPECT_EQ(with("boat"), 1U);
  write("consolidated/memory.md", entry("a", "boats boat") + entry("b", "sail boat"));
  EXPECT_EQ(with("sail"), 1U);
  EXPECT_EQ(with("boat"), 2U);
  EXPECT_EQ(with("cat"), 0U);
  ASSERT_TRUE(forget(memory, {"a"}, {}));
  EXPECT_EQ(with("boat"), 1U);
  ASSERT_TRUE(memory.reindex(true));
  EXPECT_EQ(with("boat"), 1U);
  EXPECT_EQ(with("sail"), 1U);
}

TEST(ReadRequest, EveryFieldIsReadAndAnUnknownOneRefused) {
  const Instant now = parse_time("2026-11-22T10:00:00Z").value();
  const auto read = [&](const char* json) { return read_context_request(parse_json(json).value(), now); };
  const auto request = read(R"({"query":"q","session":"s","turn":3,"budget":9,"project":"p","task":"t","since":"2026-11",
      "until":"2026-11-20","recent":[{"role":"user","text":"x"}]})")
                           .value();
  EXPECT_EQ(request.message, "q");
  EXPECT_EQ(request.turn, 3);
  EXPECT_EQ(request.budget, 9);
  EXPECT_EQ(request.since, parse_time("2026-11-01"));
  EXPECT_EQ(request.until, parse_time("2026-11-21"));
  EXPECT_EQ(request.recent.at(0).text, "x");
  for (const char* wrong : {R"({"qury":"q"})", R"({"turn":-1})", R"({"turn":"1"})", R"({"since":"soon"})", R"({"recent":"x"})",
                            R"({"recent":[{"role":"user"}]})", R"({"query":1})", "[]"})
    EXPECT_EQ(read(wrong).error().code, ErrorCode::usage) << wrong;
}

TEST(ReadRequest, DatesAreWhatSearchTakes) {
  const Instant now = parse_time("2026-11-22T10:00:00Z").value();
  const auto read = [&](const std::string& field, const std::string& date) {
    return read_context_request(parse_json(R"({")" + field + R"(":")" + date + R"("})").value(), now).value();
  };
  const auto since = [&](const char* date) { return read("since", date).since; };
  EXPECT_EQ(since("7d"), parse_time("2026-11-15"));
  EXPECT_EQ(since("yesterday"), parse_time("2026-11-21"));
  EXPECT_EQ(since("2 weeks ago"), parse_time("2026-11-08"));
  EXPECT_EQ(read("until", "yesterday").until, parse_time("2026-11-22"));
}

class Used : public ContextTest {
 protected:
  void SetUp() override {
    write("consolidated/memory.md", entry("f1", "The boat Petrel is green.") + entry("f2", "The boat *Petrel* is green!"));
  }
  void ask(const std::string& session, int turn) {
    ContextRequest request = about("is the boat Petrel green");
    request.session = session;
    request.turn = turn;
    block(request);
  }
};

TEST_F(Used, TellsWhatAnAnswerWasGivenAndWhatWasCut) {
  ask("s1", 1);
  ask("s1", 2);
  Memory memory = open();
  const Json told = used_to_json(used(memory, "s1", 2).value());
  ASSERT_EQ(told.array_at("turns").size(), 1U);
  const Json& turn = told.array_at("turns").front();
  EXPECT_EQ(to_string(*turn.find("given")), R"([{"id":"f1","file":"consolidated/memory.md","line":2}])");
  EXPECT_EQ(to_string(*turn.find("cut")), R"([{"id":"f2","why":"says the same as another"}])");
  EXPECT_EQ(used(memory, "s1", {}).value().size(), 2U);
  EXPECT_TRUE(used(memory, "s9", {}).value().empty());
}

TEST_F(Used, WithoutASessionItIsTheOnlyOneThatWasActiveWithinTheHour) {
  Memory memory = open();
  EXPECT_EQ(used(memory, "", {}).error().code, ErrorCode::usage);
  ask("s1", 1);
  EXPECT_EQ(used(memory, "", {}).value().front().session, "s1");
  ask("s2", 1);
  EXPECT_EQ(used(memory, "", {}).error().code, ErrorCode::usage);
}

TEST_F(Used, WhatWasGivenCountsAsRecalledOnceItsDayIsOver) {
  ask("s1", 1);
  clock.advance(std::chrono::days(1));
  Memory memory = open();
  ASSERT_TRUE(fold_recall_log(memory.vault()));
  EXPECT_EQ(read_recall_counts(memory.vault()).value().by_id.at("f1").times, 1);
}

}  // namespace
}  // namespace loci
