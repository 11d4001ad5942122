#include "consolidate/gates.h"

#include <gmock/gmock.h>

namespace loci {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Instant now{std::chrono::sys_days(std::chrono::year{2026} / 11 / 22)};

GateFacts open_facts() {
  GateFacts facts;
  facts.now = now;
  facts.pending = 20;
  facts.oldest_pending = now - std::chrono::days(1);
  return facts;
}

std::vector<std::string> closed_by(const GateFacts& facts, bool force = false) {
  std::vector<std::string> names;
  for (const Gate& gate : check_gates(facts, {}, force).closed) names.push_back(gate.name);
  return names;
}

TEST(Gates, AreOpenWithTwentyFactsAndNoRunYet) { EXPECT_THAT(closed_by(open_facts()), IsEmpty()); }

TEST(Gates, CloseOneByOne) {
  struct Row {
    std::string gate;
    void (*change)(GateFacts&);
    bool force_opens;
  };
  const Row rows[] = {
      {"disabled", [](GateFacts& f) { f.enabled = false; }, false},
      {"host", [](GateFacts& f) { f.is_consolidating_host = false; }, false},
      {"file system", [](GateFacts& f) { f.can_replace = false; }, false},
      {"permissions", [](GateFacts& f) { f.unwritable = "/notes/consolidated"; }, false},
      {"git", [](GateFacts& f) { f.git_operation = "MERGE_HEAD"; }, false},
      {"nothing pending", [](GateFacts& f) { f.pending = 0; }, false},
      {"failed before", [](GateFacts& f) { f.failed_runs = 1, f.last_run = now - std::chrono::minutes(59); }, true},
      {"time", [](GateFacts& f) { f.last_run = now - std::chrono::hours(23); }, true},
      {"volume", [](GateFacts& f) { f.pending = 19; }, true},
      {"budget", [](GateFacts& f) { f.uses_model = true, f.tokens_today = f.tokens_a_day = 100; }, false},
      {"put off", [](GateFacts& f) { f.uses_model = true, f.put_off_until = now + std::chrono::hours(1); }, true},
      {"lock", [](GateFacts& f) { f.lock_holder = "process 7"; }, false},
  };
  for (const Row& row : rows) {
    GateFacts facts = open_facts();
    row.change(facts);
    EXPECT_THAT(closed_by(facts), ElementsAre(row.gate));
    if (row.force_opens) {
      EXPECT_THAT(closed_by(facts, true), IsEmpty()) << row.gate;
    } else {
      EXPECT_THAT(closed_by(facts, true), ElementsAre(row.gate));
    }
  }
}

TEST(Gates, AFewFactsWaitFourteenDaysAtMost) {
  GateFacts facts = open_facts();
  facts.pending = 1;
  facts.oldest_pending = now - std::chrono::days(14);
  EXPECT_THAT(closed_by(facts), IsEmpty());
  facts.oldest_pending = now - std::chrono::days(13);
  const auto verdict = check_gates(facts, {}, false);
  ASSERT_THAT(verdict.closed, SizeIs(1));
  EXPECT_EQ(verdict.closed[0].opens_at, now + std::chrono::days(1));
}

TEST(Gates, FailedRunsAreTriedAgainAfterOneTwoFourHoursAndAtLastOnceADay) {
  for (const auto& [runs, hours] :
       {std::pair(1, 1), std::pair(2, 2), std::pair(3, 4), std::pair(5, 16), std::pair(6, 24), std::pair(40, 24)}) {
    GateFacts facts = open_facts();
    facts.pending = 2;  // what is left of a run waits for no further facts
    facts.failed_runs = runs;
    facts.last_run = now - std::chrono::hours(hours);
    EXPECT_THAT(closed_by(facts), IsEmpty()) << runs;
    facts.last_run = now - std::chrono::hours(hours) + std::chrono::minutes(1);
    const auto closed = check_gates(facts, {}, false).closed;
    ASSERT_THAT(closed, SizeIs(1)) << runs;
    EXPECT_EQ(closed[0].name, "failed before");
    EXPECT_EQ(closed[0].opens_at, now + std::chrono::minutes(1));
  }
}

TEST(Gates, ARunThatWasCutShortIsFinishedWhateverTheTimeAndTheVolume) {
  GateFacts facts = open_facts();
  facts.pending = 0;
  facts.last_run = now - std::chrono::hours(1);
  facts.is_unfinished = true;
  EXPECT_THAT(closed_by(facts), IsEmpty());
  facts.git_operation = "MERGE_HEAD";
  EXPECT_THAT(closed_by(facts), ElementsAre("git"));
}

TEST(Gates, QuarantinedFactsOpenThemOnlyByForce) {
  GateFacts facts = open_facts();
  facts.pending = 0;
  facts.quarantined = 3;
  EXPECT_THAT(closed_by(facts), ElementsAre("nothing pending"));
  EXPECT_THAT(closed_by(facts, true), IsEmpty());
}

TEST(Gates, ALastRunInTheFutureIsAClockThatWentBack) {
  GateFacts facts = open_facts();
  facts.last_run = now + std::chrono::days(2);
  EXPECT_THAT(closed_by(facts), IsEmpty());
}

TEST(Gates, WithoutAModelItsBudgetDoesNotMatter) {
  GateFacts facts = open_facts();
  facts.tokens_today = facts.tokens_a_day = 1;
  facts.put_off_until = now + std::chrono::hours(1);
  EXPECT_THAT(closed_by(facts), IsEmpty());
}

TEST(Gates, AllThatAreClosedAreNamedEachWithItsTime) {
  GateFacts facts = open_facts();
  facts.pending = 3;
  facts.last_run = now - std::chrono::hours(1);
  EXPECT_THAT(closed_by(facts), ElementsAre("time", "volume"));
  facts.enabled = false;
  const auto closed = check_gates(facts, {}, false).closed;
  EXPECT_THAT(closed, ElementsAre(Field(&Gate::opens_at, std::nullopt), Field(&Gate::opens_at, now + std::chrono::hours(23)),
                                  Field(&Gate::opens_at, now + std::chrono::days(13))));
}

}  // namespace
}  // namespace loci
