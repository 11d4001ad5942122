#include "base/clock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/named_day.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

using namespace std::chrono;

Instant at(year_month_day day, milliseconds time = {}) { return Instant(sys_days(day) + time); }

TEST(Time, IsWrittenInUtcWithMilliseconds) {
  EXPECT_EQ(format_rfc3339(at(2026y / 11 / 21, hours(20) + minutes(14) + seconds(43) + milliseconds(7))),
            "2026-11-21T20:14:43.007Z");
  EXPECT_EQ(format_rfc3339(at(1969y / 12 / 31, hours(23) + minutes(59) + seconds(59) + milliseconds(999))),
            "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(utc_date(at(2026y / 1 / 2)), "2026-01-02");
}

TEST(Time, IsReadInEveryFormOfRfc3339) {
  const Instant wanted = at(2026y / 11 / 21, hours(20) + minutes(14) + seconds(43));
  for (const char* text : {"2026-11-21T20:14:43Z", "2026-11-21t20:14:43z", "2026-11-21 20:14:43Z", "2026-11-21T20:14:43.000Z",
                           "2026-11-21T21:14:43+01:00", "2026-11-21T14:44:43-05:30"})
    EXPECT_EQ(parse_time(text), wanted) << text;
  EXPECT_EQ(parse_time("2026-11-21T20:14:43.1239Z"), wanted + milliseconds(123));
  EXPECT_EQ(parse_time("2026-11-21T20:14:43.5Z"), wanted + milliseconds(500));
}

TEST(Time, APartOfADateMeansItsFirstMoment) {
  EXPECT_EQ(parse_time("2026-05"), at(2026y / 5 / 1));
  EXPECT_EQ(parse_time("2026"), at(2026y / 1 / 1));
  EXPECT_EQ(parse_time_end("2026-12"), at(2027y / 1 / 1));
  EXPECT_EQ(parse_time_end("2024-02-29"), at(2024y / 3 / 1));
  EXPECT_EQ(parse_time_end("2026"), at(2027y / 1 / 1));
}

TEST(Time, ADateIsThatDayWhereverItIsRead) {
  class West final : public Clock {
   public:
    Instant now() const override { return {}; }
    std::string local_date(Instant instant) const override { return utc_date(instant - hours(8)); }
  };
  EXPECT_EQ(named_day(West(), *parse_time("2026-01-02")), "2026-01-02");
  EXPECT_EQ(named_day(West(), *parse_time("1969-01-02")), "1969-01-02");
  EXPECT_EQ(named_day(West(), at(2026y / 1 / 2, milliseconds(1))), "2026-01-01");
  EXPECT_EQ(named_day(West(), at(2026y / 1 / 2, hours(8))), "2026-01-02");
}

TEST(Time, WhatIsNoTimeIsRefused) {
  for (const char* text :
       {"", "x", "26-11-21", "2026-13", "2026-02-30", "2026-11-21T", "2026-11-21T25:00:00Z", "2026-11-21T20:14:43",
        "2026-11-21T20:14:43.Z", "2026-11-21T20:14:43Zx", "2026-11-21T20:14:43+0100", "2026-11-21x"})
    EXPECT_FALSE(parse_time(text)) << text;
}

TEST(Time, AFileIsNotOlderThanTheTimeOfFilesInFrontOfIt) {
  const TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) {
    const Instant before = system_clock().of_files();
    folder.write("file", std::to_string(i));
    struct stat info{};
    ASSERT_EQ(::stat((folder / "file").c_str(), &info), 0);
    const auto written = sys_time<nanoseconds>(seconds(info.st_mtim.tv_sec) + nanoseconds(info.st_mtim.tv_nsec));
    ASSERT_GE(floor<milliseconds>(written), before) << i;
  }
}

TEST(Time, ALocalDateIsRightFarFromNow) {
  for (const char* date : {"0001-06-15", "1677-01-15", "2300-06-15", "9998-06-15"})
    EXPECT_EQ(system_clock().local_date(*parse_time(date) + hours(12)), date);
}

TEST(Time, WhatWasWrittenIsReadBack) {
  for (std::int64_t value = -86'400'000; value < 86'400'000; value += 12'345'678) {
    const Instant instant{milliseconds(value * 1000)};
    EXPECT_EQ(parse_time(format_rfc3339(instant)), instant);
  }
}

}  // namespace
}  // namespace loci
