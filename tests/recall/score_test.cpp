#include "recall/score.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

const Instant now = *parse_time("2026-11-21T12:00:00Z");

TEST(Recency, HalvesAboveItsFloorWithEveryHalfLife) {
  struct Row {
    int days;
    double half_life, floor, expected;
  };
  for (const auto& [days, half_life, floor, expected] :
       {Row{0, 90, 0.7, 1.0}, Row{90, 90, 0.7, 0.85}, Row{180, 90, 0.7, 0.775}, Row{36500, 90, 0.7, 0.7}, Row{-30, 90, 0.7, 1.0},
        Row{90, 90, 0, 0.5}, Row{90, 90, 1, 1.0}, Row{90, 0, 0.7, 0.7}, Row{90, 90, 7, 1.0}, Row{36500, 90, -1, 0.0}})
    EXPECT_NEAR(recency_of(now - std::chrono::days(days), now, half_life, floor), expected, 1e-9)
        << days << " " << half_life << " " << floor;
}

TEST(Recency, WithoutADateCountsAsOneHalfLife) { EXPECT_DOUBLE_EQ(recency_of(std::nullopt, now, 90, 0.7), 0.85); }

TEST(Trust, FallsWithTheSource) {
  EXPECT_EQ(trust_of(Source::correction), 1.0);
  EXPECT_EQ(trust_of(Source::user), 0.97);
  EXPECT_EQ(trust_of(Source::agent), 0.94);
  EXPECT_EQ(trust_of(Source::system), 0.90);
}

}  // namespace
}  // namespace loci
