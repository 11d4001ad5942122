#include "context/message_block.h"

#include <gtest/gtest.h>

#include "tests/context/context_fixture.h"
#include "tokens/token_counter.h"

namespace loci {
namespace {

using Block = ContextTest;

std::vector<std::string> reasons(const MessageBlock& block) {
  std::vector<std::string> out;
  for (const CutEntry& entry : block.cut) out.push_back(entry.id + ": " + entry.why);
  return out;
}

TEST_F(Block, AFactStandsWithItsIdLabelConfidenceAndPlace) {
  write("consolidated/memory.md", entry("f1", "The boat Petrel lies in Sisimiut.", R"(,"category":"place","confidence":0.8)"));
  const MessageBlock made = block("where does the boat Petrel lie");
  EXPECT_EQ(made.text,
            "<memory-context>\nFacts:\n"
            "- [f1 | place | 0.80] The boat Petrel lies in Sisimiut. (consolidated/memory.md:2)\n"
            "</memory-context>");
  EXPECT_EQ(made.tokens, TokenCounter(Encoding::cl100k_base).count(made.text).tokens);
  EXPECT_TRUE(made.exact);
}

TEST_F(Block, TheLabelIsCorrectionElseTheCategoryElseTheSource) {
  const std::pair<const char*, const char*> labels[] = {
      {R"(,"source":"correction","category":"place")", "correction | 1.00"},
      {R"(,"source":"agent","category":"place")", "place | 0.70"},
      {R"(,"source":"agent")", "agent | 0.70"},
      {R"(,"source":"system")", "system | 0.50"},
      {"", "user | 0.90"},
      {R"(,"category":"a\n <b>")", "a &lt;b&gt; | 0.90"},
      {R"(,"confidence":7)", "user | 0.90"},
      {R"(,"confidence":0)", "user | 0.00"},
  };
  for (const auto& [metadata, label] : labels) {
    write("consolidated/memory.md", entry("f1", "The boat Petrel lies in Sisimiut.", metadata));
    EXPECT_TRUE(facts("boat Petrel Sisimiut").starts_with("- [f1 | " + std::string(label) + "] ")) << facts("boat Petrel Sisimiut");
  }
}

TEST_F(Block, AMessageThatNothingAnswersGetsNothing) {
  write("consolidated/memory.md", entry("f1", "Bread is baked on Fridays.", R"(,"source":"correction")"));
  EXPECT_EQ(block("how tall is the Eiffel tower").text, "");
}

TEST_F(Block, FactsStandBySimilarityAndConfidenceWithTheWeightsThatAreSet) {
  write("consolidated/memory.md",
        entry("sure", "The boat Petrel was painted green that summer, and much else happened.", R"(,"confidence":1.0)") +
            entry("near", "The boat Petrel was painted green.", R"(,"confidence":0.1)"));
  const std::string message = "the boat Petrel painted green";
  settings("[recall]\nsimilarity_weight = 1.0\nconfidence_weight = 0.0\n");
  EXPECT_LT(facts(message).find("[near"), facts(message).find("[sure"));
  settings("[recall]\nsimilarity_weight = 0.0\nconfidence_weight = 1.0\n");
  EXPECT_GT(facts(message).find("[near"), facts(message).find("[sure"));
}

TEST_F(Block, TheLastTurnsOfBothSidesAreContextAndToolsAreNot) {
  write("consolidated/memory.md",
        entry("a1", "The Petrel is a boat with a green hull.") + entry("a2", "The Petrel is a boat with an old engine."));
  ContextRequest request = about("and the boat Petrel?");
  request.recent = {
      {"user", "tell me of the green hull"}, {"tool", "engine engine old engine"}, {"assistant", "The hull is green."}};
  EXPECT_LT(facts(request).find("[a1"), facts(request).find("[a2"));
  request.recent = {{"user", "hull"}, {"assistant", "x"}, {"user", "does the old engine run"}, {"assistant", "The engine is old."}};
  EXPECT_GT(facts(request).find("[a1"), facts(request).find("[a2"));
}

TEST_F(Block, WhatTheSessionStoredLastIsContext) {
  write("consolidated/memory.md",
        entry("a1", "The Petrel is a boat with a green hull.") + entry("a2", "The Petrel is a boat with an old engine."));
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "does the old engine run") +
                                                 turn("b1", 1, "assistant", "The engine is old.") +
                                                 turn("u2", 2, "user", "the green hull, green hull"));
  ContextRequest request = about("and the boat Petrel?");
  request.session = "s1";
  request.turn = 2;
  EXPECT_GT(facts(request).find("[a1"), facts(request).find("[a2"));
}

TEST_F(Block, WithoutAMessageAllFactsStandByConfidenceThenDateThenId) {
  write("consolidated/memory.md", entry("b", "Second of two.", R"(,"confidence":0.5,"updated":"2026-11-01")") +
                                      entry("a", "First of two.", R"(,"confidence":0.5,"updated":"2026-11-01")") +
                                      entry("c", "Newer.", R"(,"confidence":0.5,"updated":"2026-11-02")") +
                                      entry("d", "Surest.", R"(,"confidence":0.95)"));
  EXPECT_EQ(facts(""),
            "- [d | user | 0.95] Surest. (consolidated/memory.md:11)\n"
            "- [c | user | 0.50] Newer. (consolidated/memory.md:8)\n"
            "- [a | user | 0.50] First of two. (consolidated/memory.md:5)\n"
            "- [b | user | 0.50] Second of two. (consolidated/memory.md:2)\n");
}

TEST_F(Block, WithoutAMessageTheBestOfManyAreChosenAndWhatIsPrivateTakesNoPlace) {
  settings("[privacy]\nnever_send = [\"#private\"]\n");
  std::string file;
  for (int i = 10; i < 99; ++i)  // the surest at the end, every third of them private
    file += entry("f" + std::to_string(i), "Fact number " + std::to_string(i) + (i % 3 == 0 ? ". #private" : "."),
                  R"(,"confidence":0.)" + std::to_string(i));
  write("consolidated/memory.md", file);
  ContextRequest request;
  request.budget = 100'000;
  std::vector<std::string> expected, given;
  for (int i = 98; expected.size() < most_candidates; --i)
    if (i % 3 != 0) expected.push_back("f" + std::to_string(i));
  for (const GivenEntry& one : block(request).given) given.push_back(one.id);
  EXPECT_EQ(given, expected);
}

TEST_F(Block, FactsAreAddedUntilTheFirstThatDoesNotFit) {
  std::string file;
  for (int i = 0; i < 9; ++i)
    file += entry("f" + std::to_string(i),
                  i == 2 ? "A very long fact, " + std::string(400, 'x') + " y." : "Fact number " + std::to_string(i) + ".",
                  R"(,"confidence":0.)" + std::to_string(9 - i));
  write("consolidated/memory.md", file);
  ContextRequest request;
  request.budget = 90;
  const MessageBlock made = block(request);
  EXPECT_LE(made.tokens, 90);
  EXPECT_EQ(made.given.size(), 2U);
  EXPECT_EQ(reasons(made).front(), "f2: over the budget");
  EXPECT_EQ(made.cut.size(), 7U);
  request.budget = made.tokens - 1;
  EXPECT_EQ(block(request).given.size(), 1U);
  request.budget = 5;
  EXPECT_EQ(block(request).text, "");
}

TEST_F(Block, CorrectionsComeFirstAndMayUse500TokensBeforeAnythingElse) {
  std::string file = entry("sure", "Surest of all.", R"(,"confidence":1.0)");
  for (int i = 0; i < 30; ++i) {
    std::string text = "Correction " + std::to_string(i);
    for (int word = 0; word < 25; ++word) text += " word" + std::to_string(word);
    file += entry("c" + std::to_string(10 + i), text, R"(,"source":"correction","confidence":0.3)");
  }
  write("consolidated/memory.md", file);
  const std::string lines = facts("");
  EXPECT_TRUE(lines.starts_with("- [c10 | correction"));
  const std::string first = lines.substr(0, lines.find("- [sure"));
  const std::int64_t tokens = TokenCounter(Encoding::cl100k_base).count(first).tokens;
  EXPECT_LE(tokens, 500);
  EXPECT_GT(tokens, 400);
  EXPECT_GT(lines.size(), first.size() + 1000) << "the other corrections compete as facts";
}

TEST_F(Block, NothingIsOver9500Bytes) {
  std::string file;
  for (int i = 0; i < 60; ++i)
    file += entry("f" + std::to_string(i), std::string(60, 'x') + std::to_string(i) + " " + std::string(300, '<') + ".");
  write("consolidated/memory.md", file);
  ContextRequest request;
  request.budget = 1'000'000;
  const MessageBlock made = block(request);
  EXPECT_LE(made.text.size(), 9'500U);
  EXPECT_GT(made.text.size(), 8'000U);
}

TEST_F(Block, WhatTheSystemBlockSaysIsNotRepeatedButCounts) {
  write("MEMORY.md", "<!-- loci:core begin -->\n<!--m {\"ref\":\"f2\"}-->\n- Petrel: engine from 1987\n<!-- loci:core end -->\n");
  write("user.md", "The boat Petrel is mine.\n");
  write("consolidated/memory.md", entry("f1", "*The boat Petrel* is mine.") +
                                      entry("f2", "The boat Petrel has an engine that was built in 1987.") +
                                      entry("f3", "The boat Petrel is green."));
  system("s1");
  ContextRequest request = about("boat Petrel engine mine green");
  request.session = "s1";
  const MessageBlock made = block(request);
  EXPECT_EQ(
      made.text,
      "<memory-context>\nFacts:\n- [f3 | user | 0.90] The boat Petrel is green. (consolidated/memory.md:8)\n</memory-context>");
  EXPECT_EQ(made.given.size(), made.cut.size() + 1);
  for (const std::string& reason : reasons(made)) EXPECT_TRUE(reason.ends_with(": in the system block")) << reason;
  request.message = "boat Petrel engine built in 1987";
  EXPECT_EQ(reasons(block(request)).at(0), "f2: in the system block");
}

TEST_F(Block, UserContextStandsInForASystemBlockThatWasNotGiven) {
  write("user.md", "# Work\n\nBuilds boats.\n\nIn Sisimiut.\n\n# Home\n\nA cat.\n");
  write("consolidated/memory.md", entry("f1", "The boat Petrel is green."));
  ContextRequest request = about("the boat Petrel");
  const std::string user = "User Context:\n- Work: Builds boats.; In Sisimiut.\n- Home: A cat.\n\n";
  EXPECT_EQ(block(request).text,
            "<memory-context>\n" + user +
                "Facts:\n- [f1 | user | 0.90] The boat Petrel is green. (consolidated/memory.md:2)\n</memory-context>");
  request.has_system_block = true;
  EXPECT_FALSE(block(request).text.contains("User Context"));
}

TEST_F(Block, TextsThatSayTheSameAppearOnce) {
  write("consolidated/memory.md", entry("f1", "The boat Petrel is green.") + entry("f2", "**The boat Petrel** is green!"));
  const MessageBlock made = block("boat Petrel green");
  EXPECT_EQ(made.given.size(), 1U);
  EXPECT_EQ(reasons(made), std::vector<std::string>{"f2: says the same as another"});
}

TEST_F(Block, WhatMayNotBeSentIsInNeitherBlock) {
  settings("[privacy]\nnever_send = [\"#secret\"]\n");
  write("user.md", "Sails.\n\nPin 4711 #secret\n");
  write("consolidated/memory.md",
        entry("f1", "The boat Petrel has the code 4711 #secret") + entry("f2", "The boat Petrel has a code."));
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "Yesterday: the boat Petrel has the code 4711 #secret"));
  for (const char* message : {"what is the code of the boat Petrel", "what did I say yesterday of the code of the boat Petrel", ""})
    EXPECT_FALSE(block(message).text.contains("4711")) << message;
  EXPECT_FALSE(system("s1").contains("4711"));
}

TEST_F(Block, TextIsEscapedAndOnOneLine) {
  write("consolidated/memory.md",
        entry("f1", "The boat Petrel </memory-context>\n<memory-context> & more\tthan\n\nthat.", R"(,"end":1)") + "<!--/m-->\n");
  const std::string text = block("boat Petrel").text;
  EXPECT_TRUE(text.contains("The boat Petrel &lt;/memory-context&gt; &lt;memory-context&gt; &amp; more")) << text;
  EXPECT_EQ(text.find("</memory-context>"), text.size() - 17);
}

TEST_F(Block, HistoryStandsWhereTheMessageAsksAboutThePastInWhateverLanguage) {
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "The Petrel needs a new mast.") +
                                                 turn("b1", 1, "assistant", "A mast of spruce would do for the Petrel."));
  write("consolidated/memory.md", entry("f1", "The boat Petrel has a mast of spruce."));
  EXPECT_FALSE(block("Petrel mast spruce").text.contains("History:"));
  for (const char* message :
       {"what did we say about the mast of the Petrel", "was haben wir letzte Woche über Petrel mast gesagt"}) {
    const std::string text = block(message).text;
    EXPECT_TRUE(text.contains("History:\n- [")) << message << "\n" << text;
    EXPECT_TRUE(text.contains("| 2026-11-18] A mast of spruce would do for the Petrel. (archive/sessions/2026-11-18-s1.md:5)"))
        << text;
  }
}

TEST_F(Block, HistoryThatIsTwiceAsRelevantAsAnyFactStandsUnasked) {
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "The mast of the Petrel is made of spruce."));
  EXPECT_TRUE(block("Petrel mast spruce").text.starts_with("<memory-context>\nHistory:\n- [u1 | 2026-11-18] The mast"))
      << block("Petrel mast spruce").text;
}

TEST_F(Block, ATurnThatASummaryCoversIsToldByTheSummary) {
  write("archive/sessions/2026-11-18-s1.md",
        turn("u1", 1, "user", "The mast of the Petrel is made of spruce.") +
            turn("u2", 2, "user", "The mast of the Petrel is painted.") +
            entry("sum", "They spoke of spruce.",
                  R"(,"at":"2026-11-18T09:30:00Z","kind":"session-summary","session":"s1","turn":1)"));
  const std::string text = block("what did we say about the mast of the Petrel").text;
  EXPECT_TRUE(text.contains("- [sum | 2026-11-18] They spoke of spruce.")) << text;
  EXPECT_TRUE(text.contains("[u2 |"));
  EXPECT_FALSE(text.contains("[u1 |"));
}

TEST_F(Block, TheMessageItselfIsNoHistory) {
  write("archive/sessions/2026-11-18-s1.md", turn("u3", 3, "user", "what did we say about the mast of the Petrel"));
  ContextRequest request = about("what did we say about the mast of the Petrel");
  request.session = "s1";
  request.turn = 3;
  EXPECT_EQ(block(request).text, "");
}

TEST_F(Block, AQuestionThatWasAskedBeforeIsNoHistoryAndItsAnswerIs) {
  write("archive/sessions/2026-11-18-s0.md", turn("u1", 1, "user", "What did we say about the mast of the Petrel?", "s0") +
                                                 turn("b1", 1, "assistant", "The mast of the Petrel is made of spruce.", "s0"));
  const std::string text = block("what did we say about the mast of the Petrel").text;
  EXPECT_TRUE(text.contains("[b1 |")) << text;
  EXPECT_FALSE(text.contains("[u1 |")) << text;
}

TEST_F(Block, AQuestionThatNobodyAnsweredIsNoHistory) {
  write("archive/sessions/2026-11-18-s0.md", turn("u1", 1, "user", "Of what wood is the mast of the Petrel?", "s0"));
  write("archive/sessions/2026-11-18-s1.md", turn("u2", 1, "user", "Who made the mast of the Petrel?") +
                                                 turn("b2", 1, "assistant", "The mast of the Petrel is by Olsen."));
  const std::string text = block("what did we say about the mast of the Petrel").text;
  EXPECT_FALSE(text.contains("[u1 |")) << text;
  EXPECT_TRUE(text.contains("[b2 |")) << text;
  ContextRequest period;
  period.since = parse_time("2026-11-18");
  EXPECT_TRUE(block(period).text.contains("[u1 |")) << "a period is told with all that was said in it";
}

TEST_F(Block, APeriodHasItsConversations) {
  write("archive/sessions/2026-11-18-s1.md", turn("u1", 1, "user", "The mast is made of spruce."));
  ContextRequest request;
  request.since = parse_time("2026-11-18");
  request.until = parse_time_end("2026-11-18");
  EXPECT_TRUE(block(request).text.contains("History:\n- [u1 | 2026-11-18]"));
  request.since = parse_time("2026-11-19");
  request.until = {};
  EXPECT_EQ(block(request).text, "");
}

TEST_F(Block, OtherProjectsAreLeftOutUnlessTheyAreNamedOrNothingElseAnswers) {
  write("consolidated/memory.md", entry("f1", "The boat Petrel has a mast of spruce.", R"(,"project":"petrel")") +
                                      entry("f2", "The boat Gannet has a mast of carbon.", R"(,"project":"gannet")"));
  ContextRequest request = about("the mast of the boat");
  request.project = "petrel";
  EXPECT_FALSE(facts(request).contains("[f2"));
  request.project = "other";
  EXPECT_TRUE(facts(request).contains("[f2"));
  request = about("the mast of the boat Gannet");
  request.project = "petrel";
  EXPECT_TRUE(facts(request).contains("[f2"));
}

TEST_F(Block, WhatWasGivenAndIsTheSameIsNotGivenAgainWithinTenMessagesOrBeforeACompaction) {
  write("consolidated/memory.md", entry("f1", "The boat Petrel is green."));
  system("s1");
  ContextRequest request = about("the boat Petrel");
  request.session = "s1";
  request.leave_out_still_given = true;
  EXPECT_TRUE(facts(request).contains("[f1"));
  EXPECT_EQ(reasons(block(request)), std::vector<std::string>{"f1: still given"});
  write("consolidated/memory.md", entry("f1", "The boat Petrel is blue."));
  EXPECT_TRUE(facts(request).contains("[f1"));
  system("s1", true);
  EXPECT_TRUE(facts(request).contains("[f1"));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(facts(request).contains("[f1")) << i;
  EXPECT_TRUE(facts(request).contains("[f1"));
}

}  // namespace
}  // namespace loci
