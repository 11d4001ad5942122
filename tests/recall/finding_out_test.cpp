// Search that knows when it does not know: the history where nothing else answers, and words that are misspelt. What answers, or
// nothing: precise_search_test.cpp.
#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// --- what answers, or nothing ---

SearchOptions precise() {
  SearchOptions options;
  options.precise = true;
  return options;
}

TEST(APreciseSearch, DropsWhatIsFarBehindTheBest) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", {{"a", "The heron nests in the old willow by the weir."},
                                        {"b", "The willow must be cut in March."},
                                        {"c", "Herons eat frogs."}});
  EXPECT_THAT(vault.ids("where does the heron nest, in the willow by the weir?", precise()), ElementsAre("a"));
}

// --- the history ---

class ConversationsOnly : public testing::Test {
 protected:
  void SetUp() override {
    vault.write("archive/sessions/2026-11-20-s1.md",
                {{"t0", "Ada: shall we book the lighthouse for June?", R"("kind":"turn","session":"s1","turn":0)"},
                 {"t1", "Bob: yes, the keeper asks for a deposit.", R"("kind":"turn","session":"s1","turn":1)"}});
  }
  SearchableVault vault;
};

TEST_F(ConversationsOnly, AreSearchedWhereNothingElseAnswersAndTheAnswerSaysSo) {
  const auto result = vault.search("lighthouse deposit");
  ASSERT_THAT(result.hits, Not(IsEmpty()));
  EXPECT_TRUE(result.from_history);
  EXPECT_TRUE(result.confident);
}

TEST_F(ConversationsOnly, AreLeftOutWhereAFactAnswers) {
  vault.write("note.md", "The lighthouse costs a deposit of 80 euros.\n");
  const auto result = vault.search("lighthouse deposit");
  EXPECT_THAT(result.hits, SizeIs(1));
  EXPECT_FALSE(result.from_history);
}

TEST_F(ConversationsOnly, AreNotSaidToBeWhereTheyWereAskedFor) {
  SearchOptions options;
  options.history = true;
  EXPECT_FALSE(vault.search("lighthouse deposit", options).from_history);
  EXPECT_FALSE(vault.search("lighthouse layer:L2").from_history);
}

TEST_F(ConversationsOnly, AreGivenNewestFirstToAQuestionAboutThePastThatHasNoWordOfItsOwn) {
  vault.write("archive/sessions/2026-11-10-s2.md",
              {{"u0", "Ada: the boat is painted.", R"("kind":"turn","session":"s2","turn":0)", "2026-11-10T08:00:00Z"}});
  EXPECT_THAT(vault.ids("What did we talk about recently?"), ElementsAre("t1", "t0", "u0"));
  EXPECT_TRUE(vault.search("what have we discussed lately").from_history);
}

TEST_F(ConversationsOnly, AreGivenOfTheDayThatSuchAQuestionNames) {
  vault.clock.set("2026-11-21T12:00:00Z");
  vault.write("archive/sessions/2026-11-10-s2.md",
              {{"u0", "Ada: the boat is painted.", R"("kind":"turn","session":"s2","turn":0)", "2026-11-10T08:00:00Z"}});
  EXPECT_THAT(vault.ids("what did we talk about yesterday?"), ElementsAre("t1", "t0"));
  EXPECT_THAT(vault.ids("what did we discuss 11 days ago"), ElementsAre("u0"));
  EXPECT_THAT(vault.ids("what did we do last friday"), ElementsAre("t1", "t0"));
}

TEST_F(ConversationsOnly, AreNotGivenFromOutsideOfTheDaysThatAreAskedFor) {
  vault.clock.set("2026-11-21T12:00:00Z");
  EXPECT_THAT(vault.ids("what did we discuss 11 days ago"), ElementsAre("t1", "t0"));  // nothing then: what there is
  EXPECT_THAT(vault.ids("what did we discuss 11 days ago until:2026-11-15"), IsEmpty());
}

TEST_F(ConversationsOnly, AreGivenSinceADayNamedByItsDistance) {
  vault.clock.set("2026-11-21T12:00:00Z");
  vault.write("archive/sessions/2026-11-10-s2.md",
              {{"u0", "Ada: the lighthouse is painted.", R"("kind":"turn","session":"s2","turn":0)", "2026-11-10T08:00:00Z"}});
  EXPECT_THAT(vault.ids("lighthouse since:yesterday"), ElementsAre("t0", "t1"));
  EXPECT_THAT(vault.ids("lighthouse until:7d"), ElementsAre("u0"));
  EXPECT_THAT(vault.ids("lighthouse since:7d until:8d"), IsEmpty());
}

// --- misspelt words ---

class Misspelt : public testing::Test {
 protected:
  void SetUp() override {
    vault.write("archive/2026-11-20.md", {{"a", "The client is written in typescript."},
                                          {"b", "The kettle is descaled with vinegar."},
                                          {"c", "Batteries for the torch are in the drawer."}});
  }
  SearchableVault vault;
};

TEST_F(Misspelt, WordsAreReadAsTheirNeighbourAndTheAnswerSaysSo) {
  for (const auto& [typed, read] :
       {std::pair{"typscript", "typescript"}, {"typesrcipt", "typescript"}, {"typescriptt", "typescript"}}) {
    const auto result = vault.search(typed);
    ASSERT_THAT(result.hits, SizeIs(1)) << typed;
    EXPECT_EQ(result.hits[0].entry.id, "a");
    EXPECT_THAT(result.read_as, ElementsAre(testing::Pair(typed, read)));
  }
  EXPECT_THAT(vault.search("battreies").read_as, ElementsAre(testing::Pair("battreies", "batteries")));
}

TEST_F(Misspelt, WordsThatStandSomewhereAreShortOrHaveDigitsAreNot) {
  for (const char* typed : {"kettle", "kett", "torc", "typ3script", "giraffe", "\"typscript\"", "typscrip*"})
    EXPECT_THAT(vault.search(typed).read_as, IsEmpty()) << typed;
}

TEST_F(Misspelt, WordsAreNotReadAsOneThatWasForgotten) {
  vault.write(".loci/tombstones/test.jsonl", R"({"at":"2026-11-21T09:00:00.000Z","id":"a","reason":"deleted","by":"user"})"
                                             "\n");
  const auto result = vault.search("typscript");
  EXPECT_THAT(result.hits, IsEmpty());
  EXPECT_THAT(result.read_as, IsEmpty());
}

}  // namespace
}  // namespace loci
