// Search with what vectors say, which a test makes up.
#include "recall/similar_texts.h"

#include "parser/text_hash.h"
#include "recall/fusion.h"
#include "recall/thread_nearness.h"
#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class MadeUp final : public SimilarTexts {
 public:
  explicit MadeUp(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text, 1 - static_cast<double>(texts_.size()) / 100);
  }
  static MadeUp as_alike_as(const std::vector<std::pair<std::string, double>>& similar) {
    MadeUp made_up(std::vector<std::string>{});
    for (const auto& [text, similarity] : similar) made_up.add(text, similarity);
    return made_up;
  }
  std::vector<SimilarText> at(size_t from, size_t count) override {
    const size_t begin = std::min(texts_.size(), from), end = std::min(texts_.size(), from + count);
    looked_at = end;
    return {texts_.begin() + static_cast<std::ptrdiff_t>(begin), texts_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  size_t looked_at = 0;

 private:
  void add(const std::string& text, double similarity) { texts_.push_back({stored_text_hash(text), similarity}); }

  std::vector<SimilarText> texts_;
};

constexpr const char* tabby = "Ana adopted a tabby.";
constexpr const char* boat = "The boat is green.";
constexpr const char* lake = "The boat lies on the lake.";

class FusedSearch : public testing::Test {
 protected:
  FusedSearch() { vault.write("archive/2026-11-20.md", {{"tabby", tabby, R"("tags":["pets"])"}, {"boat", boat}, {"lake", lake}}); }
  SearchResult search(const std::string& question, MadeUp&& similar, SearchOptions options = {}) {
    return search(question, similar, std::move(options));
  }
  SearchResult search(const std::string& question, MadeUp& similar, SearchOptions options = {}) {
    options.similar = &similar;
    return vault.search(question, options);
  }
  static std::vector<std::string> ids(const SearchResult& result) {
    std::vector<std::string> all;
    for (const Hit& hit : result.hits) all.push_back(hit.entry.id);
    return all;
  }

  SearchableVault vault;
};

TEST_F(FusedSearch, FindsWhatSharesNoWordWithTheQuestion) {
  const auto result = search("cats", MadeUp({tabby}));
  ASSERT_THAT(ids(result), ElementsAre("tabby"));
  EXPECT_GT(result.hits[0].why.vector, 0);
  EXPECT_FALSE(result.confident) << "vectors alone make nothing an answer";
}

TEST_F(FusedSearch, DropsNothingThatHasNoVector) {
  EXPECT_THAT(ids(search("green boat", MadeUp({tabby}))), testing::UnorderedElementsAre("boat", "lake", "tabby"));
}

TEST_F(FusedSearch, PutsInFrontWhatBothRankingsHave) {
  EXPECT_EQ(ids(search("boat lies", MadeUp({lake, tabby}))).front(), "lake");
  const auto both = search("green boat", MadeUp({lake, boat}));
  EXPECT_EQ(both.hits.size(), 2U);
  for (const Hit& hit : both.hits) EXPECT_GT(hit.why.vector, 0);
}

TEST_F(FusedSearch, KeepsToTheFilters) {
  SearchOptions pets;
  pets.filter.tags = {"pets"};
  EXPECT_THAT(ids(search("cats", MadeUp({boat, tabby}), pets)), ElementsAre("tabby"));
  EXPECT_THAT(ids(search("cats -adopted", MadeUp({tabby}))), IsEmpty());
  EXPECT_THAT(ids(search("cats since:2026-11-21", MadeUp({tabby}))), IsEmpty());
}

TEST_F(FusedSearch, DoesNotMindATextThatStandsNowhereAnyMore) {
  EXPECT_THAT(ids(search("cats", MadeUp({"Forgotten.", tabby}))), ElementsAre("tabby"));
}

TEST_F(FusedSearch, LeavesPreciseAnswersAsTheyAre) {
  SearchOptions precise;
  precise.precise = true;
  EXPECT_THAT(ids(search("cats", MadeUp({tabby}), precise)), IsEmpty());
}

TEST_F(FusedSearch, SaysHowAlikeAnEntryIsThatIsNearItself) {
  const auto result = search("cats", MadeUp::as_alike_as({{tabby, 0.75}}));
  ASSERT_THAT(ids(result), ElementsAre("tabby"));
  EXPECT_EQ(result.hits[0].why.similarity, 0.75);
  EXPECT_EQ(result.hits[0].why.of_neighbours, 0);
}

constexpr const char* asks_for_the_cat = "Ana: Where did you find the tabby?";
constexpr const char* asks_for_the_net = "Bob: Who mended this net?";
constexpr const char* thinks = "Bob: Let me think.";

// Two conversations in which the same is answered.
class FusedConversations : public FusedSearch {
 protected:
  FusedConversations() {
    write("cat", {asks_for_the_cat, "Bob: Beside the harbour.", thinks});
    write("net", {asks_for_the_net, "Ana: Somebody beside the harbour."});
    options.history = true;
  }
  void write(const std::string& session, const std::vector<std::string>& texts) {
    std::vector<EntryToWrite> turns;
    for (const std::string& text : texts) {
      const std::string turn = std::to_string(turns.size());
      turns.push_back({session + "." + turn, text, R"("kind":"turn","session":")" + session + R"(","turn":)" + turn});
    }
    vault.write("archive/sessions/2026-11-20-" + session + ".md", turns);
  }
  std::vector<std::string> sessions(const std::string& question, MadeUp similar) {
    options.threads = true;
    std::vector<std::string> all;
    for (const ThreadHit& thread : search(question, similar, options).threads) all.push_back(thread.session);
    return all;
  }
  static HitReasons why(const SearchResult& result, const std::string& id) {
    for (const Hit& hit : result.hits)
      if (hit.entry.id == id) return hit.why;
    ADD_FAILURE() << id << " was not found";
    return {};
  }

  SearchOptions options;
};

TEST_F(FusedConversations, AnAnswerIsNearWhatItsQuestionIsNear) {
  EXPECT_EQ(ids(search("harbour", MadeUp({asks_for_the_cat}), options)).front(), "cat.1");
  EXPECT_EQ(ids(search("harbour", MadeUp({asks_for_the_net}), options)).front(), "net.1");
}

TEST_F(FusedConversations, ATurnLendsHalfOfItsNearnessToTheOnesBesideIt) {
  const auto result = search("harbour", MadeUp({asks_for_the_cat}), options);
  const HitReasons asked = why(result, "cat.0"), answered = why(result, "cat.1");
  EXPECT_GT(asked.vector, 0);
  EXPECT_DOUBLE_EQ(answered.vector, asked.vector / 2);
  EXPECT_EQ(answered.of_neighbours, answered.vector);
  EXPECT_FALSE(answered.similarity) << "nobody said how alike it is";
  EXPECT_EQ(why(result, "net.1").vector, 0);
}

TEST_F(FusedConversations, ATurnBetweenTwoThatAreNearIsAsNear) {
  const auto result = search("harbour", MadeUp::as_alike_as({{asks_for_the_cat, 0.5}, {thinks, 0.5}}), options);
  EXPECT_DOUBLE_EQ(why(result, "cat.1").vector, why(result, "cat.0").vector);
}

TEST_F(FusedConversations, TheNearestTurnHasAllThatVectorsGive) {
  const auto result =
      search("harbour", MadeUp::as_alike_as({{asks_for_the_cat, 0.5}, {"Bob: Beside the harbour.", 0.5}, {thinks, 0.5}}), options);
  EXPECT_DOUBLE_EQ(why(result, "cat.1").vector, fused_part_of_vector(1));
  EXPECT_DOUBLE_EQ(why(result, "cat.1").of_neighbours, fused_part_of_vector(1) / 2);
  EXPECT_DOUBLE_EQ(why(result, "cat.0").vector, fused_part_of_vector(1) * 3 / 4);
}

TEST_F(FusedConversations, WhatMayNotBeShownLendsNothing) {
  const auto result = search("harbour -tabby", MadeUp({asks_for_the_cat}), options);
  EXPECT_EQ(why(result, "cat.1").vector, 0);
}

TEST_F(FusedConversations, AConversationIsAsNearAsItsThreeNearestTurns) {
  write("far", {"One.", "Two.", "Three."});
  write("single", {"Four.", "Five.", "Six."});
  write("whole", {"Seven.", "Eight.", "Nine."});
  EXPECT_THAT(sessions("cats", MadeUp::as_alike_as({{"Four.", 0.9},
                                                    {"Seven.", 0.8},
                                                    {"Eight.", 0.8},
                                                    {"Nine.", 0.8},
                                                    {"Five.", 0.2},
                                                    {"Six.", 0.2},
                                                    {"One.", 0.1},
                                                    {"Two.", 0.1},
                                                    {"Three.", 0.1}})),
              ElementsAre("whole", "single", "far"));
}

TEST_F(FusedConversations, WantMoreTextsLookedAt) {
  std::vector<std::string> many;
  std::vector<EntryToWrite> entries;
  for (size_t i = 0; i < 600; ++i) {
    many.push_back("This is number " + std::to_string(i) + ".");
    entries.push_back({"n" + std::to_string(i), many.back()});
  }
  vault.write("archive/2026-11-21.md", entries);
  MadeUp texts(many);
  search("cats", texts, options);
  EXPECT_EQ(texts.looked_at, most_fused);
  options.threads = true;
  search("cats", texts, options);
  EXPECT_EQ(texts.looked_at, ThreadNearness::most_entries);
}

TEST(FusedScores, AreFromNothingToOne) {
  EXPECT_EQ(fused_score(0, 0), 0);
  EXPECT_DOUBLE_EQ(fused_score(1, 1), 1);
  EXPECT_GT(fused_score(1, 0), fused_score(0, 1));
  EXPECT_GT(fused_score(0.9, 1), fused_score(1, 0)) << "near the best by words and the best by vectors";
  EXPECT_GT(fused_score(1, 0), fused_score(0.5, 1)) << "far behind by words";
}

TEST(Nearness, IsFromTheHundredthTextToTheFirst) {
  const Nearness nearness(0.8, 0.4, most_fused);
  EXPECT_DOUBLE_EQ(nearness.of(0.8), 1);
  EXPECT_DOUBLE_EQ(nearness.of(0.6), 0.5);
  EXPECT_DOUBLE_EQ(nearness.of(0.4), 0);
}

TEST(Nearness, OfAFewTextsIsFromWhatHasNothingInCommon) {
  EXPECT_DOUBLE_EQ(Nearness(0.8, 0.4, 2).of(0.4), 0.5);
  EXPECT_DOUBLE_EQ(Nearness(0.8, -0.2, 2).of(-0.2), 0);
  EXPECT_DOUBLE_EQ(Nearness(0, 0, 1).of(0), 1);
}

}  // namespace
}  // namespace loci
