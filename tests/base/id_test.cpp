#include "base/id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

namespace loci {
namespace {

Instant instant(std::int64_t milliseconds) { return Instant(std::chrono::milliseconds(milliseconds)); }

TEST(Id, SortsByTime) {
  const std::string early = make_id(instant(1'900'000'000'000));
  const std::string late = make_id(instant(1'900'000'000'001));
  EXPECT_LT(early, late);
  EXPECT_EQ(early.size(), 16u);
  EXPECT_EQ(early.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz"), std::string::npos);
}

TEST(Id, RisesWithinOneMillisecondAndWhenTheClockGoesBack) {
  std::string last = make_id(instant(1'900'000'100'000));
  for (int i = 0; i < 10'000; ++i) {
    const std::string next = make_id(instant(1'900'000'100'000 - i));
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Id, IsToldFromOtherNames) {
  EXPECT_TRUE(is_made_id(make_id(instant(1'900'000'000'000))));
  for (const char* other :
       {"", "import", "correct-f1", "by-hand", "u-0123456789abcd", "01jd8x2k9c4qw0r", "01jd8x2k9c4qw0r3x", "01JD8X2K9C4QW0R3"})
    EXPECT_FALSE(is_made_id(other)) << other;
}

TEST(Id, IsNeverGivenTwiceToThreadsThatAskAtOnce) {
  constexpr size_t threads = 8, each = 2'000;
  std::vector<std::vector<std::string>> made(threads);
  {
    std::vector<std::jthread> workers;
    for (auto& ids : made)
      workers.emplace_back([&ids] {
        for (size_t i = 0; i < each; ++i) ids.push_back(make_id(instant(1'900'000'200'000)));
      });
  }
  std::set<std::string> all;
  for (const auto& ids : made) all.insert(ids.begin(), ids.end());
  EXPECT_EQ(all.size(), threads * each);
}

}  // namespace
}  // namespace loci
