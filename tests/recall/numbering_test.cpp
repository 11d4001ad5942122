#include "recall/numbering.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace loci {
namespace {

TEST(Numbering, GivesNumbersInOrderAndForgetsThem) {
  Numbering numbering;
  EXPECT_EQ(numbering.find(7), Numbering::none);
  EXPECT_EQ(numbering.add(7), 0u);
  EXPECT_EQ(numbering.add(0), 1u);
  EXPECT_EQ(numbering.add(0xFFFFFFFF), 2u);
  EXPECT_EQ(numbering.find(7), 0u);
  EXPECT_EQ(numbering.find(0xFFFFFFFF), 2u);
  numbering.clear();
  EXPECT_EQ(numbering.find(7), Numbering::none);
  EXPECT_EQ(numbering.add(3), 0u);
}

TEST(Numbering, KnowsWhatAMapKnows) {
  std::mt19937 random(5);
  Numbering numbering;
  for (int round = 0; round < 3; ++round) {
    std::map<std::uint32_t, std::uint32_t> known;
    for (int i = 0; i < 20'000; ++i) {
      const auto id = static_cast<std::uint32_t>(i % 2 ? random() : random() % 5000);
      const auto found = known.find(id);
      ASSERT_EQ(numbering.find(id), found == known.end() ? Numbering::none : found->second);
      if (found != known.end()) continue;
      const auto number = static_cast<std::uint32_t>(known.size());
      known[id] = number;
      ASSERT_EQ(numbering.add(id), number);
    }
    numbering.clear();
  }
}

}  // namespace
}  // namespace loci
