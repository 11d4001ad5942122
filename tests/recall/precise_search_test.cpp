// What an agent is given for a message: what answers it and little else, whatever words it is asked in, and silence where nothing
// does.
#include <span>

#include "tests/recall/everyday_set.h"
#include "tests/recall/precision_set.h"
#include "tests/recall/searchable_vault.h"

namespace loci {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

SearchOptions precise() {
  SearchOptions options;
  options.precise = true;
  return options;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(' ', begin), list.size());
    words.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<EntryToWrite> entries_of(std::span<const SetMemory> memories) {
  std::vector<EntryToWrite> entries;
  for (const auto& [id, text] : memories) entries.push_back({std::string(id), std::string(text)});
  return entries;
}

struct Figures {
  double recall = 0, precision = 0, silence = 0;
  std::string report;
};

// Recall and precision over the messages that concern a memory, silence over the others.
Figures figures_of(SearchableVault& vault, std::span<const SetMessage> messages) {
  Figures figures;
  double answerable = 0, unanswerable = 0;
  for (const auto& [message, list] : messages) {
    const auto wanted = words_of(list);
    const auto found = vault.ids(message, precise());
    const auto right = static_cast<double>(
        std::ranges::count_if(found, [&](const std::string& id) { return std::ranges::find(wanted, id) != wanted.end(); }));
    (wanted.empty() ? unanswerable : answerable) += 1;
    if (wanted.empty()) figures.silence += found.empty();
    if (!wanted.empty()) figures.recall += right / static_cast<double>(wanted.size());
    if (!wanted.empty() && !found.empty()) figures.precision += right / static_cast<double>(found.size());
    if (right < static_cast<double>(wanted.size()) || static_cast<double>(found.size()) > right)
      figures.report += "\n  " + std::string(message) + " -> " + testing::PrintToString(found);
  }
  figures.recall /= answerable;
  figures.precision /= answerable;
  figures.silence /= unanswerable;
  return figures;
}

void expect_at_least(const Figures& figures, double recall, double precision, double silence) {
  testing::Test::RecordProperty("recall", std::to_string(figures.recall));
  testing::Test::RecordProperty("precision", std::to_string(figures.precision));
  testing::Test::RecordProperty("silence", std::to_string(figures.silence));
  EXPECT_GE(figures.recall, recall) << figures.report;
  EXPECT_GE(figures.precision, precision) << figures.report;
  EXPECT_GE(figures.silence, silence) << figures.report;
}

// --- by the sets ---

TEST(APreciseSearch, AnswersWhoAsksInTheWordsOfAMemory) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", entries_of(precision_memories));
  expect_at_least(figures_of(vault, precision_messages), 0.92, 0.90, 0.80);
}

TEST(APreciseSearch, BringsUpWhatAMessageConcernsThoughItAsksForNothing) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", entries_of(everyday_memories));
  expect_at_least(figures_of(vault, everyday_messages), 0.90, 0.85, 0.85);
}

TEST(APreciseSearch, BringsItUpAmongOtherFactsToo) {
  SearchableVault vault;
  vault.write("archive/2026-11-20.md", entries_of(everyday_memories));
  vault.write("archive/2026-11-21.md", entries_of(precision_memories));
  expect_at_least(figures_of(vault, everyday_messages), 0.90, 0.80, 0.80);
}

TEST(APreciseSearch, BringsItUpFromWhatWasConsolidated) {
  SearchableVault vault;
  vault.write("consolidated/memory.md", "# Facts\n\n" + markdown_of(entries_of(everyday_memories)));
  expect_at_least(figures_of(vault, everyday_messages), 0.90, 0.85, 0.85);
}

// --- by the rules ---

class OfAFewFacts : public testing::Test {
 protected:
  void SetUp() override { vault.write("archive/2026-11-20.md", entries_of(everyday_memories)); }
  std::vector<std::string> given_for(std::string_view message) { return vault.ids(message, precise()); }
  SearchableVault vault;
};

TEST_F(OfAFewFacts, AFurtherWordInAMessageLosesNoAnswer) {
  EXPECT_THAT(given_for("Should we use GraphQL?"), Contains("graphql"));
  EXPECT_THAT(given_for("Should we switch the API to GraphQL?"), Contains("graphql"));
  EXPECT_THAT(given_for("Before I forget it over lunch: should we switch the whole API to GraphQL, as Lena proposed?"),
              Contains("graphql"));
}

TEST_F(OfAFewFacts, ANameThatIsSharedIsEnough) {
  EXPECT_THAT(given_for("nine hours in the car with Kasimir, what shall I take along"), ElementsAre("parrot"));
}

TEST_F(OfAFewFacts, OneCommonWordIsNoAnswerThoughItIsAllThatIsSaid) {
  vault.write("archive/2026-11-21.md", {{"works", "The lamp in the hall works only with the old bulbs."}});
  EXPECT_THAT(given_for("thanks, that works"), IsEmpty());
  EXPECT_THAT(given_for("ok, that works now"), IsEmpty());
  EXPECT_THAT(given_for("which bulbs for the lamp in the hall?"), ElementsAre("works"));
}

TEST(LayeredSearch, WhatALayerCannotReachIsToldWithoutChoosingFromIt) {
  SearchableVault vault;
  vault.write("notes.md", std::vector<EntryToWrite>{{"note", "the quarterdeck was painted yesterday"}});
  const EntryToWrite turn{"turn", "a quarterdeck, she said", R"("kind":"turn","session":"s")"};
  vault.write("archive/2026-11-20.md", std::vector{turn});
  LayeredSearch search(vault.reader(), parse_query("quarterdeck"), {}, vault.clock.now());
  const auto said = search.in({Layer::L2}).value();
  ASSERT_EQ(said.hits.size(), 1U);
  const double reached = relevance_of(said.hits[0]);
  EXPECT_TRUE(search.may_reach(reached, Layer::L2));
  EXPECT_FALSE(search.may_reach(1.01 * reached, Layer::L2));
  EXPECT_FALSE(search.may_reach(0.01, Layer::L0));
}

}  // namespace
}  // namespace loci
