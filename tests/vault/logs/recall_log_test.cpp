#include "vault/logs/recall_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/faulty_file_system.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class RecallLogTest : public testing::Test {
 protected:
  RecallLogTest() { std::filesystem::create_directories(folder_ / "vault"); }

  Vault vault(const std::string& host = "home", FileSystem& files = real_file_system()) {
    Environment environment = environment_in(folder_, host);
    environment.state_home = folder_ / ("state-" + host);
    return *Vault::open(folder_ / "vault", environment, files, clock_);
  }
  void retrieve(const std::string& query, std::vector<std::string> ids, const std::string& host = "home") {
    ASSERT_TRUE(log_retrieval(vault(host), {.query = query, .session = "s", .turn = 3, .ids = std::move(ids), .details = {}}));
  }
  std::unordered_map<std::string, RecallCount> counts() {
    const auto counts = read_recall_counts(vault());
    EXPECT_TRUE(counts);
    return counts->by_id;
  }
  void next_day() { clock_.advance(std::chrono::hours(24)); }

  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST_F(RecallLogTest, AFinishedDayIsCountedByTimesAndDifferentQueries) {
  retrieve("deploy", {"one", "two"});
  retrieve("deploy", {"one"});
  retrieve("friday", {"one"});
  EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_THAT(counts(), IsEmpty());  // the day is not over
  EXPECT_FALSE(folder_.has("vault/.loci"));
  next_day();
  EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_EQ(folder_.read("vault/.loci/recall/home.jsonl"), "{\"day\":\"2026-11-21\",\"counts\":{\"one\":[3,2],\"two\":[1,1]}}\n");
  EXPECT_EQ(counts()["one"], (RecallCount{.times = 3, .queries = 2, .days = 1, .last = "2026-11-21"}));
}

TEST_F(RecallLogTest, UpToNowCountsWhatNobodyHasFoldedYetAndNothingTwice) {
  retrieve("deploy", {"one"});
  retrieve("deploy", {"one"}, "work");
  next_day();
  retrieve("friday", {"one", "two"});
  EXPECT_EQ(recall_counts_until_now(vault())->by_id.at("one"),
            (RecallCount{.times = 2, .queries = 2, .days = 2, .last = "2026-11-22"}))
      << "the other machine's of today are not here";
  EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_TRUE(fold_recall_log(vault("work")));
  const auto counts = recall_counts_until_now(vault())->by_id;
  EXPECT_EQ(counts.at("one"), (RecallCount{.times = 3, .queries = 3, .days = 2, .last = "2026-11-22"}));
  EXPECT_EQ(counts.at("two").times, 1);
}

TEST_F(RecallLogTest, ADayCountsOnceHoweverOftenItIsFolded) {
  retrieve("a", {"one"});
  next_day();
  EXPECT_TRUE(fold_recall_log(vault()));
  const auto folded = folder_.contents("vault");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_EQ(folder_.contents("vault"), folded);
  EXPECT_EQ(counts()["one"].times, 1);
  // Two machines that were set up as one: the same day stands twice in one file.
  folder_.append("vault/.loci/recall/home.jsonl", "{\"day\":\"2026-11-21\",\"counts\":{\"one\":[7,7]}}\n");
  EXPECT_EQ(counts()["one"].times, 1);
}

TEST_F(RecallLogTest, TheCountIsTheUnionOverHostsAndDays) {
  retrieve("a", {"one"});
  retrieve("b", {"one"}, "work");
  next_day();
  retrieve("c", {"one"}, "work");
  next_day();
  for (const char* host : {"home", "work"}) EXPECT_TRUE(fold_recall_log(vault(host)));
  EXPECT_EQ(counts()["one"], (RecallCount{.times = 3, .queries = 3, .days = 2, .last = "2026-11-22"}));
}

TEST_F(RecallLogTest, TheRawLogIsKeptForAWhileAndIsPrivate) {
  retrieve("a secret question", {"one"});
  const path log = vault().state_folder() / "retrieval/2026-11-21.jsonl";
  EXPECT_EQ(std::filesystem::status(log).permissions(), std::filesystem::perms(0600));
  next_day();
  EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_TRUE(std::filesystem::exists(log));
  EXPECT_EQ(folder_.read("vault/.loci/recall/home.jsonl").find("secret"), std::string::npos);
  clock_.advance(std::chrono::hours(24 * 30));
  EXPECT_TRUE(fold_recall_log(vault()));
  EXPECT_FALSE(std::filesystem::exists(log));
  EXPECT_EQ(counts()["one"].times, 1);
}

TEST_F(RecallLogTest, TornAndBrokenLinesAreReportedAndCostNoOther) {
  retrieve("a", {"one"});
  folder_.append((vault().state_folder() / "retrieval/2026-11-21.jsonl").lexically_relative(folder_.path()).string(),
                 "{\"query\":\"tor");
  retrieve("b", {"one"});
  next_day();
  folder_.write("vault/.loci/recall/home.jsonl",
                "{\"day\":\"2026-11-20\",\"counts\":{\"one\":[1,1]}}\nnonsense\n{\"day\":\"2026-11-19\",\"cou");
  EXPECT_TRUE(fold_recall_log(vault()));
  const auto read = read_recall_counts(vault());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->by_id.at("one").times, 3);
  ASSERT_THAT(read->problems, SizeIs(2));
  EXPECT_EQ(read->problems[0].file, ".loci/recall/home.jsonl");
  EXPECT_EQ(read->problems[0].line, 2);
  EXPECT_EQ(read->problems[1].line, 3);
}

TEST_F(RecallLogTest, AFoldThatFailsIsMadeUpForAndNothingCountsTwice) {
  for (size_t number = 0, calls = 1; number < calls; ++number) {
    TemporaryFolder other;
    std::filesystem::create_directories(other / "vault");
    ManualClock clock;
    FaultyFileSystem files;
    const Vault faulty = *Vault::open(other / "vault", environment_in(other), files, clock);
    for (int day = 0; day < 2; ++day) {
      ASSERT_TRUE(log_retrieval(faulty, {.query = "q", .session = "", .turn = {}, .ids = {"one"}, .details = {}}));
      clock.advance(std::chrono::hours(24));
    }
    files.fail_call(number, ENOSPC);
    (void)fold_recall_log(faulty);
    calls = files.calls().size();
    files.fail_nothing();
    ASSERT_TRUE(fold_recall_log(faulty)) << number;
    EXPECT_EQ(read_recall_counts(faulty)->by_id.at("one").times, 2) << number;
  }
}

TEST_F(RecallLogTest, ManyProcessesLogAndFoldAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int n = 0; n < 50; ++n) retrieve("q" + std::to_string(n), {"one"});
      next_day();
      ::_exit(fold_recall_log(vault()) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::string folded = folder_.read("vault/.loci/recall/home.jsonl");
  EXPECT_EQ(std::count(folded.begin(), folded.end(), '\n'), 1);
}

}  // namespace
}  // namespace loci
