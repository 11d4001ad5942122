#include "base/relative_time.h"

#include <gtest/gtest.h>

#include <string>

namespace loci {
namespace {

const Instant now = *parse_time("2026-11-22T15:30:00Z");

std::string begin(std::string_view text) {
  const auto instant = parse_date(text, now);
  return instant ? format_rfc3339(*instant).substr(0, 16) : "none";
}
std::string end(std::string_view text) {
  const auto instant = parse_date_end(text, now);
  return instant ? format_rfc3339(*instant).substr(0, 16) : "none";
}

TEST(ADate, MayBeNamedByItsDistance) {
  EXPECT_EQ(begin("today"), "2026-11-22T00:00");
  EXPECT_EQ(begin("Yesterday"), "2026-11-21T00:00");
  EXPECT_EQ(end("yesterday"), "2026-11-22T00:00");
  for (const char* text : {"7d", "7 days", "7 days ago", "1w", "1 week ago", "a week ago", "last week"})
    EXPECT_EQ(begin(text), "2026-11-15T00:00") << text;
  EXPECT_EQ(begin("2 weeks ago"), "2026-11-08T00:00");
  EXPECT_EQ(begin("3 months ago"), "2026-08-22T00:00");
  EXPECT_EQ(begin("1y"), "2025-11-22T00:00");
  EXPECT_EQ(begin("12h"), "2026-11-22T03:30");
  EXPECT_EQ(end("2 weeks ago"), "2026-11-09T00:00");
}

TEST(ADate, OfAShorterMonthIsItsLastDay) {
  const auto may = parse_date("1 month ago", *parse_time("2026-05-31"));
  EXPECT_EQ(may, parse_time("2026-04-30"));
}

TEST(ADate, MayStillBeWrittenOut) {
  EXPECT_EQ(parse_date("2026-11", now), parse_time("2026-11"));
  EXPECT_EQ(parse_date_end("2026-11", now), parse_time_end("2026-11"));
}

TEST(ADate, IsNothingElse) {
  for (const char* text : {"", "soon", "7", "7x", "d", "ago", "a", "-3d", "99999999999 days ago", "3 days before", "2026-13"})
    EXPECT_EQ(begin(text), "none") << text;
}

}  // namespace
}  // namespace loci
