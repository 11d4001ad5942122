// How a conversation's turns are found together.
#include "recall/search.h"
#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Turns of one session, ids "<session>.0", "<session>.1", …
std::vector<EntryToWrite> session(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<EntryToWrite> turns;
  for (size_t i = 0; i < texts.size(); ++i)
    turns.push_back({name + "." + std::to_string(i), texts[i],
                     R"("kind":"turn","session":")" + name + R"(","turn":)" + std::to_string(i),
                     "2026-11-20T08:00:0" + std::to_string(i) + "Z"});
  return turns;
}

class ThreadsTest : public testing::Test {
 protected:
  void SetUp() override {
    vault.write(
        "archive/sessions/2026-11-20-trip.md",
        session("trip", {"Ada: Good morning!", "Bob: Which instrument did you bring to the island?", "Ada: A small brass sextant.",
                         "Bob: Lovely. And the boat?", "Ada: It leaked, so we bailed all day."}));
    vault.write("archive/sessions/2026-11-20-work.md",
                session("work", {"Ada: The build is red again.", "Bob: I will look at it.", "Ada: Thanks, the linker is to blame.",
                                 "Bob: An instrument of torture, that linker."}));
    vault.write("archive/sessions/2026-11-20-food.md",
                session("food", {"Cleo: Soup today?", "Dan: Soup every day.", "Cleo: Fine."}));
    options.history = options.threads = true;
  }

  std::vector<std::string> sessions(std::string_view query) {
    std::vector<std::string> found;
    for (const ThreadHit& thread : vault.search(query, options).threads) found.push_back(thread.session);
    return found;
  }

  SearchableVault vault;
  SearchOptions options;
};

TEST_F(ThreadsTest, ATurnIsFoundByWhatItsNeighboursSay) {
  const auto ids = vault.ids("what instrument was on the island", options);
  ASSERT_GE(ids.size(), 2u);
  EXPECT_EQ(ids[0], "trip.1");
  EXPECT_EQ(ids[1], "trip.2");  // the answer, which has no word of the question
}

TEST_F(ThreadsTest, ASessionWithMoreOfTheQuestionStandsFirst) {
  EXPECT_THAT(sessions("which instrument did Ada take on the boat to the island"), ElementsAre("trip", "work"));
  EXPECT_THAT(sessions("who blames the linker for the red build"), ElementsAre("work"));
}

TEST_F(ThreadsTest, AThreadNamesItsHitsBestFirst) {
  const auto result = vault.search("instrument island", options);
  ASSERT_EQ(result.threads.size(), 2u);
  EXPECT_EQ(result.threads[0].session, "trip");
  EXPECT_EQ(result.threads[0].hits[0], "trip.1");
  EXPECT_EQ(result.threads[0].hits[1], "trip.2");
}

TEST_F(ThreadsTest, AThreadWithoutAHitNamesItsBestEntry) {
  options.limit = 2;
  const auto result = vault.search("instrument island boat", options);
  EXPECT_THAT(vault.ids("instrument island boat", options), ElementsAre("trip.1", "trip.2"));
  ASSERT_EQ(result.threads.size(), 2u);
  EXPECT_THAT(result.threads[1].hits, ElementsAre("work.3"));
}

TEST_F(ThreadsTest, TheLimitBoundsHitsAndThreadsEach) {
  options.limit = 1;
  const auto result = vault.search("instrument soup linker", options);
  EXPECT_EQ(result.hits.size(), 1u);
  EXPECT_EQ(result.threads.size(), 1u);
}

TEST_F(ThreadsTest, AThreadOfWhichNothingMayBeShownIsNotListed) {
  EXPECT_THAT(sessions("instrument session:trip"), ElementsAre("trip"));
  options.history = false;
  EXPECT_THAT(sessions("island boat layer:L1"), IsEmpty());
}

TEST_F(ThreadsTest, WithoutAskingThereAreNoThreads) {
  options.threads = false;
  EXPECT_THAT(sessions("instrument"), IsEmpty());
}

TEST_F(ThreadsTest, TheSpeakersOwnStatementStandsAboveOneThatAddressesThem) {
  vault.write("archive/sessions/2026-11-20-cats.md",
              session("cats", {"Eve: Hello Finn, the kitten sleeps.", "Gus: Nice day.", "Hal: Indeed it is.", "Ivy: Yes yes.",
                               "Jon: So it is.", "Kim: Sure.", "Finn: Hello Eve, the kitten eats."}));
  EXPECT_EQ(vault.ids("kitten Finn", options)[0], "cats.6");
}

TEST_F(ThreadsTest, AHeadingOverAConversationCountsForAllOfIt) {
  vault.write(
      "archive/sessions/2026-11-18-dated.md",
      "# Conversation on 14 March\n\n" + markdown_of(session("dated", {"Ada: Hello there.", "Bob: The harbour was closed."})));
  vault.write("archive/sessions/2026-11-19-other.md", session("other", {"Ada: Hello there.", "Bob: The harbour was open."}));
  EXPECT_EQ(sessions("harbour March")[0], "dated");
}

}  // namespace
}  // namespace loci
