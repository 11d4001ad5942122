#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(EditDistance, CountsLettersThatArePutInLeftOutOrChanged) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("serach", "search"), 2U);
}

TEST(EditDistance, APartOfAWordCostsNothingForWhatStandsAroundIt) {
  EXPECT_EQ(distance_within("poll", "poll_seconds"), 0U);
  EXPECT_EQ(distance_within("minuts", "rescan_minutes"), 1U);
  EXPECT_EQ(distance_within("abc", ""), 3U);
}

}  // namespace
}  // namespace loci
