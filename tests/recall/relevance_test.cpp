// The arithmetic of ranking over made-up matches.
#include "recall/relevance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "recall/class_weights.h"

namespace loci {
namespace {

class MadeUpIndex final : public ColumnSource {
 public:
  // An entry of `length` words in a thread (0: none), behind the last one of that thread.
  RowId add(std::uint32_t length, ThreadId thread = 0) {
    const auto row = static_cast<RowId>(entries_.size() + 1);
    EntryColumns columns;
    columns.text_length = length;
    columns.thread = thread;
    columns.active = true;
    if (thread != 0) {
      if (RowId& last = last_in_[thread]; last != 0) {
        columns.previous = last;
        entries_[last - 1].next = row;
      }
      last_in_[thread] = row;
    }
    entries_.push_back(columns);
    return row;
  }
  void deactivate(RowId row) { entries_[row - 1].active = false; }
  EntryColumns& at(RowId row) { return entries_[row - 1]; }

  EntryColumns entry(RowId row) override { return row <= entries_.size() ? entries_[row - 1] : EntryColumns{}; }
  ThreadColumns thread(ThreadId thread) override {
    ThreadColumns columns;
    for (const EntryColumns& entry : entries_)
      if (entry.thread == thread) {
        columns.length += entry.text_length;
        ++columns.entries;
      }
    return columns;
  }
  Statistics statistics() {
    Statistics statistics;
    for (const EntryColumns& entry : entries_) {
      ClassStatistics& of = entry.thread != 0 ? statistics.turns : statistics.rest;
      ++of.entries;
      of.text_length += entry.text_length;
    }
    statistics.turns.threads = last_in_.size();
    statistics.turns.thread_length = statistics.turns.text_length;
    return statistics;
  }

 private:
  std::vector<EntryColumns> entries_;
  std::map<ThreadId, RowId> last_in_;
};

RankingPlan plan_of(size_t terms) {
  RankingPlan plan;
  plan.weights.assign(terms, 1);
  return plan;
}

// Rows with how often each term stands in them.
Matches matches_of(const std::vector<std::pair<RowId, std::vector<std::uint16_t>>>& rows) {
  Matches matches;
  matches.terms = rows.empty() ? 0 : rows[0].second.size();
  for (const auto& [row, counts] : rows) {
    matches.rows.push_back(row);
    for (const std::uint16_t count : counts) {
      Matches::Cell cell;
      cell.weight = static_cast<std::uint16_t>(count * PhraseMeaning::one);
      cell.exact = count > 0;
      matches.cells.push_back(cell);
    }
  }
  return matches;
}

double relevance_of(const Relevance& relevance, RowId row) {
  const auto found = std::ranges::find(relevance.entries, row, &RankedEntry::row);
  return found == relevance.entries.end() ? -1 : found->relevance;
}

TEST(Relevance, TwoWordsBeatTheRarerOneAlone) {
  MadeUpIndex index;
  for (int i = 0; i < 1000; ++i) index.add(20);
  std::vector<std::pair<RowId, std::vector<std::uint16_t>>> rows = {{1, {1, 1}}, {2, {1, 0}}};
  for (RowId row = 3; row < 100; ++row) rows.push_back({row, {0, 1}});
  RelevanceScorer scorer;
  const auto relevance = scorer.score(plan_of(2), matches_of(rows), index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 1) * 0.7 * 0.94,
            relevance_of(relevance, 2));  // old and an agent's, against fresh and corrected
  EXPECT_GT(relevance_of(relevance, 2), relevance_of(relevance, 3));
}

TEST(Relevance, TellsOfATurnWhatOtherConversationsHaveOfTheQuestion) {
  MadeUpIndex index;
  for (ThreadId thread = 1; thread <= 7; ++thread) index.add(20, thread);
  std::vector<std::pair<RowId, std::vector<std::uint16_t>>> rows = {{1, {1}}, {2, {1}}};
  const auto others_of_the_first = [&] {
    RelevanceScorer scorer;
    const RankingPlan plan = plan_of(1);
    const Matches matches = matches_of(rows);
    const auto relevance = scorer.score(plan, matches, index.statistics(), index);
    return scorer.parts_of(*std::ranges::find(relevance.entries, 1, &RankedEntry::row)).common.others;
  };
  EXPECT_EQ(others_of_the_first(), 0) << "an answer may stand in two";
  for (RowId row = 3; row <= 7; ++row) rows.push_back({row, {1}});
  EXPECT_GT(others_of_the_first(), 0);
}

TEST(Relevance, ShorterEntriesAndMoreOccurrencesCountMore) {
  MadeUpIndex index;
  index.add(10);
  index.add(100);
  index.add(100);
  RelevanceScorer scorer;
  const auto relevance = scorer.score(plan_of(1), matches_of({{1, {1}}, {2, {1}}, {3, {4}}}), index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 1), relevance_of(relevance, 2));
  EXPECT_GT(relevance_of(relevance, 3), relevance_of(relevance, 2));
}

TEST(Relevance, NeighboursWithinTwoTurnsAreLiftedAndTheOneBehindMost) {
  MadeUpIndex index;
  for (int i = 0; i < 7; ++i) index.add(10, 1);
  for (int i = 0; i < 7; ++i) index.add(10, 2);
  RelevanceScorer scorer;
  const auto relevance = scorer.score(plan_of(1), matches_of({{4, {1}}}), index.statistics(), index);
  const double two_before = relevance_of(relevance, 2), before = relevance_of(relevance, 3), itself = relevance_of(relevance, 4),
               behind = relevance_of(relevance, 5), two_behind = relevance_of(relevance, 6);
  EXPECT_GT(itself, behind);
  EXPECT_GT(behind, before);
  EXPECT_GT(before, two_behind);
  EXPECT_GT(two_behind, two_before);
  EXPECT_EQ(relevance_of(relevance, 1), -1);
  EXPECT_EQ(relevance_of(relevance, 8), -1);
}

TEST(Relevance, OfTwoEqualTurnsTheOneInTheThreadAboutItStandsFirst) {
  MadeUpIndex index;
  for (ThreadId thread = 1; thread <= 2; ++thread)
    for (int i = 0; i < 10; ++i) index.add(10, thread);
  RelevanceScorer scorer;
  const auto relevance =
      scorer.score(plan_of(1), matches_of({{1, {1}}, {6, {1}}, {10, {1}}, {11, {1}}}), index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 1), relevance_of(relevance, 11));
  ASSERT_EQ(relevance.threads.size(), 2u);
  EXPECT_GT(relevance.threads[0].relevance, relevance.threads[1].relevance);
}

TEST(Relevance, InactiveEntriesAreLeftOutUnlessAskedFor) {
  MadeUpIndex index;
  index.add(10);
  index.add(10);
  index.deactivate(2);
  RelevanceScorer scorer;
  const Matches matches = matches_of({{1, {1}}, {2, {1}}});
  EXPECT_EQ(scorer.score(plan_of(1), matches, index.statistics(), index).entries.size(), 1u);
  EXPECT_EQ(scorer.score(plan_of(1), matches, index.statistics(), index, true).entries.size(), 2u);
}

TEST(Relevance, ALongTextBesideAShortOneTakesNothingFromItNorIsItLiftedByIt) {
  MadeUpIndex index;
  for (ThreadId thread = 1; thread <= 2; ++thread) {
    index.add(10, thread);
    index.add(thread == 1 ? 10 : 900, thread);
  }
  for (int i = 0; i < 50; ++i) index.add(60, 3);
  RelevanceScorer scorer;
  const RankingPlan plan = plan_of(1);
  const Matches matches = matches_of({{1, {1}}, {3, {1}}, {4, {1}}});
  const auto relevance = scorer.score(plan, matches, index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 3), relevance_of(relevance, 4) * 1.5);
  EXPECT_NEAR(scorer.parts_of(relevance.entries[0]).own, scorer.parts_of(relevance.entries[1]).own, 1e-9);
}

TEST(Relevance, AnAssistantsTurnStandsBehindAUsersUnlessItIsAskedFor) {
  MadeUpIndex index;
  for (ThreadId thread = 1; thread <= 2; ++thread) index.add(20, thread);
  index.at(1).speaker = Speaker::user;
  index.at(2).speaker = Speaker::assistant;
  RelevanceScorer scorer;
  RankingPlan plan = plan_of(1);
  const Matches matches = matches_of({{1, {1}}, {2, {1}}});
  auto relevance = scorer.score(plan, matches, index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 1), relevance_of(relevance, 2));
  plan.cues.of_assistant = true;
  relevance = scorer.score(plan, matches, index.statistics(), index);
  EXPECT_LT(relevance_of(relevance, 1), relevance_of(relevance, 2));
}

TEST(Relevance, WhatStandsBehindAQuestionIsLiftedMore) {
  MadeUpIndex index;
  for (ThreadId thread = 1; thread <= 2; ++thread)
    for (int i = 0; i < 2; ++i) index.add(20, thread);
  index.at(3).traits.asks = true;
  RelevanceScorer scorer;
  const auto relevance = scorer.score(plan_of(1), matches_of({{1, {1}}, {3, {1}}}), index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 4), relevance_of(relevance, 2));
}

TEST(Relevance, ANumberIsLiftedWhereOneIsAskedForAndADayWhereItIsNamed) {
  MadeUpIndex index;
  for (int i = 0; i < 3; ++i) index.add(20);
  index.at(2).traits.number = true;
  constexpr std::int64_t day = 86'400'000;
  for (RowId row = 1; row <= 3; ++row) index.at(row).at = row == 3 ? 100 * day : 10 * day;
  RelevanceScorer scorer;
  RankingPlan plan = plan_of(1);
  const Matches matches = matches_of({{1, {1}}, {2, {1}}, {3, {1}}});
  plan.cues.number = true;
  auto relevance = scorer.score(plan, matches, index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 2), relevance_of(relevance, 1));
  plan.cues = {};
  plan.asked_at = 107 * day;
  plan.cues.day = {7, 3};
  relevance = scorer.score(plan, matches, index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 3), relevance_of(relevance, 1) * 1.5);
}

TEST(Relevance, AWordOfTheAskingCountsLessThanOneOfTheSubject) {
  MadeUpIndex index;
  for (int i = 0; i < 20; ++i) index.add(20);
  RelevanceScorer scorer;
  RankingPlan plan = plan_of(2);
  plan.weights[0] = 0.35;
  const auto relevance = scorer.score(plan, matches_of({{1, {1, 0}}, {2, {0, 1}}}), index.statistics(), index);
  EXPECT_GT(relevance_of(relevance, 2), relevance_of(relevance, 1) * 2);
}

// What holds for any matches, asked one after the other of one scorer.
TEST(Relevance, StaysWithinItsBoundsAndIsTheSameInAnyOrderOfRows) {
  std::mt19937 random(11);
  RelevanceScorer scorer;
  for (int trial = 0; trial < 300; ++trial) {
    const size_t terms = 1 + random() % 5;
    MadeUpIndex index;
    const size_t count = 1 + random() % 60;
    for (size_t i = 0; i < count; ++i) index.add(static_cast<std::uint32_t>(random() % 50), static_cast<ThreadId>(random() % 5));
    std::vector<std::pair<RowId, std::vector<std::uint16_t>>> rows;
    for (RowId row = 1; row <= count; ++row) {
      if (random() % 2) continue;
      rows.push_back({row, std::vector<std::uint16_t>(terms)});
      for (auto& n : rows.back().second) n = static_cast<std::uint16_t>(random() % 4);
    }
    std::map<RowId, double> first;
    const Matches matches = matches_of(rows);
    const RankingPlan plan = plan_of(terms);
    for (const RankedEntry& entry : scorer.score(plan, matches, index.statistics(), index).entries) {
      const RelevanceParts parts = scorer.parts_of(entry);
      for (const double part : {parts.own, parts.neighbours, parts.order, parts.thread}) EXPECT_GE(part, 0);
      EXPECT_NEAR(entry.relevance, parts.bound > 0 ? std::min(1.0, parts.total() / parts.bound) : 0, 1e-12);
      first[entry.row] = entry.relevance;
    }
    std::ranges::shuffle(rows, random);
    const Matches shuffled = matches_of(rows);
    for (const RankedEntry& entry : scorer.score(plan, shuffled, index.statistics(), index).entries)
      EXPECT_EQ(entry.relevance, first[entry.row]);
  }
}

TEST(Relevance, AnEstimateIsNeverLessThanWhatItSettlesTo) {
  std::mt19937 random(12);
  RelevanceScorer scorer, other;
  for (int trial = 0; trial < 300; ++trial) {
    const size_t terms = 1 + random() % 5;
    MadeUpIndex index;
    const size_t count = 1 + random() % 60;
    for (size_t i = 0; i < count; ++i) index.add(static_cast<std::uint32_t>(random() % 50));
    std::vector<std::pair<RowId, std::vector<std::uint16_t>>> rows;
    for (RowId row = 1; row <= count; ++row) {
      rows.push_back({row, std::vector<std::uint16_t>(terms)});
      for (auto& n : rows.back().second) n = static_cast<std::uint16_t>(random() % 4);
    }
    Matches matches = matches_of(rows);
    for (auto& cell : matches.cells) cell.beside_next = cell.weight > 0 && random() % 2;
    for (size_t i = 0; i < matches.cells.size(); ++i)  // near a term that does not stand there is nothing
      if (i % terms + 1 == terms || matches.cells[i + 1].weight == 0) matches.cells[i].beside_next = false;
    const RankingPlan plan = plan_of(terms);
    const Relevance settled = other.score(plan, matches, index.statistics(), index);
    for (RankedEntry& entry : scorer.estimate(plan, matches, index.statistics(), index).entries) {
      EXPECT_TRUE(entry.is_bound);
      const double bound = entry.relevance;
      scorer.settle(entry);
      EXPECT_GE(bound, entry.relevance);
      EXPECT_EQ(entry.relevance, relevance_of(settled, entry.row));
    }
  }
}

TEST(ClassWeights, ARarerTermTellsMoreAndNoneTellsLessThanNothing) {
  EXPECT_GT(inverse_frequency(1000, 1), inverse_frequency(1000, 10));
  EXPECT_GT(inverse_frequency(1000, 1000), 0);
  EXPECT_GT(inverse_frequency(1000, 5000), 0);
  EXPECT_GE(inverse_frequency(0, 0), 0);
}

TEST(ClassWeights, WhatAFewThreadsAreFullOfIsWorthMoreThanWhatIsSpreadEvenly) {
  EXPECT_GT(residual_frequency(100, 10, 500), residual_frequency(100, 10, 20));
  EXPECT_EQ(residual_frequency(100, 10, 10), 0);
  EXPECT_EQ(residual_frequency(100, 0, 0), 0);
  EXPECT_EQ(residual_frequency(0, 0, 0), 0);
}

}  // namespace
}  // namespace loci
