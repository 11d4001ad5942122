#include "recall/promising.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace loci {
namespace {

TEST(TheMostPromising, AreThoseThatSortingPutsInFront) {
  std::mt19937_64 random(1);
  for (const size_t size : {0U, 1U, 7U, 8U, 9U, 500U}) {
    std::vector<RankedEntry> entries(size);
    for (size_t i = 0; i < size; ++i) entries[i] = {static_cast<RowId>(i + 1), 0, static_cast<double>(random() % 20) / 20};
    std::vector<RankedEntry*> sorted;
    for (RankedEntry& entry : entries) sorted.push_back(&entry);
    std::ranges::sort(sorted, [](const RankedEntry* a, const RankedEntry* b) {
      return a->relevance != b->relevance ? a->relevance > b->relevance : a->row > b->row;
    });
    sorted.resize(std::min<size_t>(size, 8));
    std::ranges::sort(sorted);
    EXPECT_THAT(most_promising(entries, 8), testing::ElementsAreArray(sorted)) << size << " entries";
  }
}

TEST(TheMostPromising, AreNoneOfThemIfNoneIsWanted) {
  std::vector<RankedEntry> entries{{1, 0, 0.5}};
  EXPECT_TRUE(most_promising(entries, 0).empty());
}

}  // namespace
}  // namespace loci
