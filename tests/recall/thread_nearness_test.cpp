#include "recall/thread_nearness.h"

#include <gmock/gmock.h>

#include <vector>

namespace loci {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr ThreadId none = 0, one = 1, two = 2, three = 3, four = 4, five = 5;

std::unordered_map<ThreadId, double> nearness(const std::vector<std::pair<ThreadId, double>>& entries) {
  ThreadNearness nearness;
  for (const auto& [thread, similarity] : entries) nearness.add(thread, similarity);
  return nearness.of_threads();
}

TEST(ThreadNearness, OfNoConversationThereIsNone) {
  EXPECT_THAT(nearness({}), IsEmpty());
  EXPECT_THAT(nearness({{none, 0.9}}), IsEmpty());
}

TEST(ThreadNearness, TheOnlyConversationIsTheNearest) { EXPECT_THAT(nearness({{one, 0.4}}), UnorderedElementsAre(Pair(one, 1))); }

TEST(ThreadNearness, OfTwoTheNearerOneCountsAlone) {
  EXPECT_THAT(nearness({{one, 0.9}, {two, 0.8}}), UnorderedElementsAre(Pair(one, 1), Pair(two, 0)));
}

TEST(ThreadNearness, ConversationsThatAreAsNearCountAlike) {
  EXPECT_THAT(nearness({{one, 0.5}, {two, 0.5}}), UnorderedElementsAre(Pair(one, 1), Pair(two, 1)));
}

TEST(ThreadNearness, IsTheMeanOfTheThreeNearestEntries) {
  EXPECT_THAT(nearness({{one, 0.9}, {two, 0.8}, {two, 0.8}, {two, 0.8}, {two, 0.1}, {one, 0.1}, {one, 0.1}}),
              UnorderedElementsAre(Pair(one, 0), Pair(two, 1)))
      << "0.37 and 0.80: the fourth entry of two takes nothing from it";
}

TEST(ThreadNearness, EntriesThatAreMissingCountAsTheLastThatWasLookedAt) {
  const auto found = nearness({{one, 0.9}, {two, 0.8}, {two, 0.8}, {three, 0.6}, {none, 0.3}});
  EXPECT_THAT(found, UnorderedElementsAre(Pair(one, DoubleEq(0)), Pair(two, DoubleEq(1)), Pair(three, DoubleEq(0))))
      << "0.50, 0.63, 0.40";
}

TEST(ThreadNearness, IsFromTheMedianConversationToTheNearest) {
  const auto found = nearness({{one, 1.0}, {two, 0.7}, {three, 0.4}, {four, 0.3}, {five, 0.1}});
  EXPECT_THAT(found,
              UnorderedElementsAre(Pair(one, 1), Pair(two, DoubleNear(0.5, 1e-9)), Pair(three, 0), Pair(four, 0), Pair(five, 0)));
}

}  // namespace
}  // namespace loci
