#include "edits/save_policy.h"

#include <gtest/gtest.h>

#include "indexer/stored_entry.h"

namespace loci {
namespace {

using Ids = std::vector<std::string>;

std::vector<SeenEntry> entries(int count) {
  std::vector<SeenEntry> made;
  for (int i = 1; i <= count; ++i) made.push_back({std::string(i < 10 ? "e0" : "e") + std::to_string(i), "hash", true, false});
  return made;
}

struct ShareCase {
  size_t touched, of;
  bool wholesale;
};

TEST(IsWholesale, MoreThanThreeAndMoreThanATenth) {
  const ShareCase cases[] = {{0, 0, false},  {3, 3, false}, {4, 4, true},       {4, 39, true},
                             {4, 40, false}, {5, 49, true}, {100, 1000, false}, {101, 1000, true}};
  for (const ShareCase& one : cases) EXPECT_EQ(is_wholesale(one.touched, one.of), one.wholesale) << one.touched << " of " << one.of;
}

struct SaveCase {
  const char* what;
  int before;
  int removed;   // that many from the end
  int reworded;  // that many from the beginning, their sum left as it was
  SaveEvidence evidence;
  bool ask;
  size_t absent, changed;
};

TEST(JudgeSave, AFewEntriesArePendingAndManyAreAskedAbout) {
  const SaveCase cases[] = {
      {"nothing happened", 5, 0, 0, {}, false, 0, 0},
      {"one of five went", 5, 1, 0, {}, false, 1, 0},
      {"three of five went", 5, 3, 0, {}, false, 3, 0},
      {"four of five went", 5, 4, 0, {}, true, 4, 0},
      {"four of forty went", 40, 4, 0, {}, false, 4, 0},
      {"five of forty went", 40, 5, 0, {}, true, 5, 0},
      {"removed and reworded count together", 10, 2, 2, {}, true, 2, 2},
      {"one was reworded", 10, 0, 1, {}, false, 0, 1},
      {"the file of one entry went", 1, 1, 0, {.file_is_gone = true}, true, 1, 0},
      {"git took them out", 10, 8, 0, {.by_git = true}, false, 0, 0},
      {"git brought texts that nobody's sum vouches for", 10, 0, 8, {.by_git = true}, true, 0, 8},
      {"a log tells of all but two", 6, 4, 0, {.explained = {"e03", "e04"}}, false, 2, 0},
      {"all that the last run wrote went", 6, 2, 0, {.last_run = {"e05", "e06"}}, false, 0, 0},
      {"part of what the last run wrote went", 6, 2, 0, {.last_run = {"e04", "e05"}}, false, 2, 0},
      {"the last run wrote into another file", 6, 2, 0, {.last_run = {"x"}}, false, 2, 0},
      {"the last run's text went too", 6, 1, 1, {.last_run = {"e01", "e06"}}, false, 0, 1},
  };
  for (const SaveCase& one : cases) {
    const auto before = entries(one.before);
    auto after = entries(one.before - one.removed);
    for (int i = 0; i < one.reworded; ++i)
      after[static_cast<size_t>(i)].hash = "other", after[static_cast<size_t>(i)].edited = true;
    const SaveVerdict verdict = judge_save(before, after, one.evidence);
    EXPECT_EQ(verdict.ask, one.ask) << one.what;
    EXPECT_EQ(verdict.removed.size(), one.absent) << one.what;
    EXPECT_EQ(verdict.changed.size(), one.changed) << one.what;
  }
}

TEST(JudgeSave, TextWithoutMetadataCountsAndIsNeverDeleted) {
  auto before = entries(5);
  for (size_t i = 1; i < before.size(); ++i) before[i].has_metadata = false;
  const SaveVerdict few = judge_save(before, {before[0], before[1], before[2]}, {});
  EXPECT_FALSE(few.ask);
  EXPECT_EQ(few.removed, Ids{});
  EXPECT_TRUE(judge_save(before, {before[0]}, {}).ask);
}

TEST(JudgeSave, OnlyTextThatGainsTrustIsHeld) {
  const auto before = entries(8);
  auto after = before;
  for (size_t i = 0; i < 6; ++i) after[i].hash = "other";
  after[1].edited = after[2].edited = true;
  const SaveVerdict verdict = judge_save(before, after, {});
  EXPECT_TRUE(verdict.ask);
  EXPECT_EQ(verdict.held, (Ids{"e02", "e03"}));
}

struct PendingCase {
  const char* what;
  PendingEvidence evidence;
  PendingVerdict verdict;
};

TEST(JudgePending, OnlyWhatIsCertainSettles) {
  constexpr std::chrono::milliseconds ten = std::chrono::minutes(10), nine = std::chrono::minutes(9), day = std::chrono::hours(24);
  const PendingCase cases[] = {
      {"just seen", {}, PendingVerdict::wait},
      {"ten minutes", {.wall = ten, .steady = ten}, PendingVerdict::settle},
      {"nine minutes", {.wall = nine, .steady = nine}, PendingVerdict::wait},
      {"a clock that jumped forward", {.wall = day, .steady = nine}, PendingVerdict::wait},
      {"a clock that jumped back", {.wall = -day, .steady = day}, PendingVerdict::wait},
      {"back again", {.taken_back = true, .wall = ten, .steady = ten}, PendingVerdict::dismiss},
      {"a log tells of it", {.explained = true, .wall = ten, .steady = ten}, PendingVerdict::dismiss},
      {"moved", {.elsewhere = true, .wall = ten, .steady = ten}, PendingVerdict::dismiss},
      {"git moved", {.by_git = true, .wall = ten, .steady = ten}, PendingVerdict::dismiss},
      {"its file is in question", {.undecided_file = true, .wall = day, .steady = day}, PendingVerdict::wait},
  };
  for (const PendingCase& one : cases) EXPECT_EQ(judge_pending(one.evidence, absence_settles), one.verdict) << one.what;
}

}  // namespace
}  // namespace loci
