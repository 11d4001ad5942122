#include "base/synchronized.h"

#include <gtest/gtest.h>

#include <thread>

namespace loci {
namespace {

using std::chrono::steady_clock;

TEST(Synchronized, ManyThreadsLoseNoChange) {
  Synchronized<int> count{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 1'000; ++k) count.with([](int& value) { ++value; });
    });
  threads.clear();
  EXPECT_EQ(count.with([](int value) { return value; }), 4'000);
}

TEST(Synchronized, AChangeWakesWhoeverWaitsForIt) {
  Synchronized<bool> done{false};
  const std::jthread other([&] { done.change([](bool& value) { value = true; }); });
  EXPECT_TRUE(done.wait(
      steady_clock::now() + std::chrono::seconds(30), [](bool value) { return value; }, [](bool value) { return value; }));
}

TEST(Synchronized, AWaitEndsAtItsDeadline) {
  Synchronized<bool> never{false};
  EXPECT_FALSE(never.wait(
      steady_clock::now() - std::chrono::seconds(1), [](bool value) { return value; }, [](bool value) { return value; }));
}

}  // namespace
}  // namespace loci
