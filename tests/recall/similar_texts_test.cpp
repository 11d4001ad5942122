// Search with what vectors say, which a test makes up.
#include "recall/similar_texts.h"

#include "parser/text_hash.h"
#include "recall/fusion.h"
#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class MadeUp final : public SimilarTexts {
 public:
  explicit MadeUp(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  std::vector<SimilarText> at(size_t from, size_t count) override {
    std::vector<SimilarText> out;
    for (size_t i = from; i < std::min(texts_.size(), from + count); ++i)
      out.push_back({stored_text_hash(texts_[i]), 1 - static_cast<double>(i) / 100});
    return out;
  }

 private:
  std::vector<std::string> texts_;
};

constexpr const char* tabby = "Ana adopted a tabby.";
constexpr const char* boat = "The boat is green.";
constexpr const char* lake = "The boat lies on the lake.";

class FusedSearch : public testing::Test {
 protected:
  FusedSearch() { vault.write("archive/2026-11-20.md", {{"tabby", tabby, R"("tags":["pets"])"}, {"boat", boat}, {"lake", lake}}); }
  SearchResult search(const std::string& question, MadeUp similar, SearchOptions options = {}) {
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
