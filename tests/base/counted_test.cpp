#include "base/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace loci {
namespace {

TEST(ACount, GoesWithItsWord) {
  EXPECT_EQ(counted(0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(std::int64_t{2}, "entry", "entries"), "2 entries");
}

TEST(ACount, TakesItsVerbAlong) {
  EXPECT_EQ(counted(size_t{1}, "fact stays", "facts stay"), "1 fact stays");
  EXPECT_EQ(counted(size_t{3}, "fact stays", "facts stay"), "3 facts stay");
}

}  // namespace
}  // namespace loci
