#include "model/retry.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

using std::chrono::milliseconds;

TEST(TroubleOfAStatus, PassesWhereTheServerHasTooMuchToDo) {
  for (const int status : {429, 500, 502, 503, 504, 529, 599})
    EXPECT_EQ(trouble_of_status(status, false), Trouble::passing) << status;
  for (const int status : {301, 307, 400, 401, 402, 403, 404, 408, 413, 422, 428, 430, 499, 600, 204})
    EXPECT_EQ(trouble_of_status(status, false), Trouble::lasting) << status;
  EXPECT_EQ(trouble_of_status(429, true), Trouble::lasting) << "a quota that is spent does not come back in a minute";
}

TEST(RetryAfter, IsSecondsOrADateThatCountsFromTheServersOwn) {
  constexpr const char* date = "Sun, 22 Nov 2026 10:00:00 GMT";
  struct Case {
    const char *retry_after, *date;
    std::optional<milliseconds> wanted;
  };
  const Case cases[] = {
      {"0", "", milliseconds(0)},
      {"30", "", milliseconds(30'000)},
      {"86400", date, milliseconds(86'400'000)},
      {"99999999999999999999", "", std::chrono::days(30)},
      {"Sun, 22 Nov 2026 10:01:30 GMT", date, milliseconds(90'000)},
      {"Mon, 23 Nov 2026 10:00:00 GMT", date, std::chrono::days(1)},
      {"Sun, 22 Nov 2026 09:00:00 GMT", date, milliseconds(0)},
      {"Sun, 22 Nov 2099 09:00:00 GMT", date, std::chrono::days(30)},
      {"Sun, 22 Nov 2026 10:01:30 GMT", "", std::nullopt},
      {"Sun, 22 Nov 2026 10:01:30 UTC", date, std::nullopt},
      {"Sun, 32 Nov 2026 10:01:30 GMT", date, std::nullopt},
      {"Sun, 22 Foo 2026 10:01:30 GMT", date, std::nullopt},
      {"soon", date, std::nullopt},
      {"-5", date, std::nullopt},
      {"1.5", date, std::nullopt},
      {"", date, std::nullopt},
  };
  for (const Case& one : cases) EXPECT_EQ(parse_retry_after(one.retry_after, one.date), one.wanted) << one.retry_after;
}

TEST(ThePauseBeforeTheNextTry, DoublesUpToTheLongestWithFullJitter) {
  const RetryPolicy policy{.tries = 100, .first_pause = milliseconds(1'000), .longest_pause = milliseconds(60'000)};
  const FailedTry failed{Trouble::passing, "x"};
  EXPECT_EQ(pause_before_next(failed, 1, policy, 0.0), milliseconds(0));
  EXPECT_EQ(pause_before_next(failed, 1, policy, 0.5), milliseconds(500));
  EXPECT_EQ(pause_before_next(failed, 2, policy, 0.5), milliseconds(1'000));
  EXPECT_EQ(pause_before_next(failed, 4, policy, 0.25), milliseconds(2'000));
  EXPECT_EQ(pause_before_next(failed, 7, policy, 0.5), milliseconds(30'000));
  EXPECT_EQ(pause_before_next(failed, 99, policy, 0.5), milliseconds(30'000));
}

TEST(ThePauseBeforeTheNextTry, IsNoneWhereThereIsNoNextTry) {
  const RetryPolicy policy;
  EXPECT_TRUE(pause_before_next({Trouble::passing, "x"}, 4, policy, 0));
  EXPECT_FALSE(pause_before_next({Trouble::passing, "x"}, 5, policy, 0)) << "five tries in all";
  EXPECT_FALSE(pause_before_next({Trouble::lasting, "x"}, 1, policy, 0));
}

TEST(ThePauseBeforeTheNextTry, IsNeverShorterThanTheServerAsked) {
  const RetryPolicy policy;
  const auto asked = [](std::chrono::seconds time) {
    return FailedTry{.trouble = Trouble::passing, .message = "x", .retry_after = time};
  };
  EXPECT_EQ(pause_before_next(asked(std::chrono::seconds(30)), 1, policy, 0.9), milliseconds(30'000));
  EXPECT_EQ(pause_before_next(asked(std::chrono::seconds(0)), 1, policy, 0.5), milliseconds(500));
  EXPECT_EQ(pause_before_next(asked(std::chrono::minutes(15)), 1, policy, 0), milliseconds(900'000));
  EXPECT_FALSE(pause_before_next(asked(std::chrono::seconds(901)), 1, policy, 0)) << "the run is put off";
}

}  // namespace
}  // namespace loci
