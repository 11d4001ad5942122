#include "model/model_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

const Error failure{ErrorCode::remote, "status 500"};
const Instant noon = parse_time("2026-11-22T12:00:00Z").value();

ModelUse failed(int times, std::optional<Instant> retry_at = std::nullopt) {
  ModelUse use;
  for (int i = 0; i < times; ++i) use = after_failed_run(use, failure, retry_at, noon);
  return use;
}

TEST(TheBreaker, OpensAfterThreeFailedRunsInARow) {
  EXPECT_FALSE(failed(2).put_off_until);
  EXPECT_TRUE(failed(3).resting_until(noon));
  EXPECT_EQ(failed(3).last_error, "status 500");
}

TEST(TheBreaker, StaysOpenForAnHourThenTwiceAsLongForADayAtMost) {
  EXPECT_EQ(failed(3).put_off_until, noon + hours(1));
  EXPECT_EQ(failed(4).put_off_until, noon + hours(2));
  EXPECT_EQ(failed(6).put_off_until, noon + hours(8));
  EXPECT_EQ(failed(8).put_off_until, noon + hours(24));
  EXPECT_EQ(failed(100).put_off_until, noon + hours(24));
  EXPECT_FALSE(failed(3).resting_until(noon + hours(1)));
}

TEST(TheBreaker, ClosesWithAGoodRun) {
  auto use = failed(5);
  use.today = {100, 20};
  use = after_good_run(use);
  EXPECT_FALSE(use.resting_until(noon));
  EXPECT_EQ(use.failed_runs, 0);
  EXPECT_EQ(use.last_error, "");
  EXPECT_EQ(use.today, (TokenUse{100, 20})) << "what was spent stays spent";
}

TEST(TheBreaker, AClockThatWentBackDoesNotKeepItOpenForYears) {
  EXPECT_TRUE(failed(100).resting_until(noon));
  EXPECT_FALSE(failed(100).resting_until(noon - hours(1)));
}

TEST(ATimeToComeBack, PutsTheNextRunOff) {
  EXPECT_EQ(failed(1, noon + minutes(40)).put_off_until, noon + minutes(40));
  EXPECT_EQ(failed(3, noon + minutes(40)).put_off_until, noon + hours(1)) << "the later of both";
  EXPECT_EQ(failed(3, noon + hours(3)).put_off_until, noon + hours(3));
  EXPECT_EQ(failed(1, noon + hours(1'000)).put_off_until, noon + hours(24)) << "no server turns loci off for good";
}

TEST(WhatWasUsed, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  ModelUse use = failed(3, noon + hours(2));
  use.day = "2026-11-22";
  use.today = {12'345, 678};
  ASSERT_TRUE(write_model_use(real_file_system(), folder.path(), use));
  EXPECT_EQ(read_model_use(real_file_system(), folder.path(), "2026-11-22"), use);
  const auto fd = real_file_system().open(folder / "model-use.json", O_RDONLY);
  ASSERT_TRUE(fd);
  EXPECT_EQ(real_file_system().status(*fd, "")->st_mode & 0777, 0600u);
}

TEST(WhatWasUsed, OfAnotherDayIsGoneAndTheBreakerStays) {
  const TemporaryFolder folder;
  ModelUse use = failed(3);
  use.day = "2026-11-21";
  use.today = {12'345, 678};
  ASSERT_TRUE(write_model_use(real_file_system(), folder.path(), use));
  const auto today = read_model_use(real_file_system(), folder.path(), "2026-11-22");
  EXPECT_EQ(today.day, "2026-11-22");
  EXPECT_EQ(today.today, TokenUse{});
  EXPECT_EQ(today.put_off_until, use.put_off_until);
  EXPECT_EQ(today.failed_runs, 3);
}

TEST(WhatWasUsed, IsNothingIfTheFileIsMissingOrBroken) {
  const TemporaryFolder folder;
  ModelUse nothing;
  nothing.day = "2026-11-22";
  EXPECT_EQ(read_model_use(real_file_system(), folder.path(), "2026-11-22"), nothing);
  for (const char* bytes : {"", "{", "[]", "\xFF", R"({"day":7,"input":"many","failed_runs":-4,"put_off_until":"soon"})"}) {
    folder.write("model-use.json", bytes);
    EXPECT_EQ(read_model_use(real_file_system(), folder.path(), "2026-11-22"), nothing) << bytes;
  }
}

}  // namespace
}  // namespace loci
