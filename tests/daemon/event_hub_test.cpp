#include "daemon/event_hub.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>

namespace loci {
namespace {

constexpr std::chrono::seconds patience{20};

TEST(EventHub, CallsEachListenerAtOnceAndForEveryChange) {
  std::counting_semaphore<> first(0), second(0);
  EventHub hub;
  hub.listen([&] {
    first.release();
    return true;
  });
  hub.listen([&] {
    second.release();
    return true;
  });
  EXPECT_TRUE(first.try_acquire_for(patience));
  EXPECT_TRUE(second.try_acquire_for(patience));
  while (first.try_acquire()) continue;
  while (second.try_acquire()) continue;
  hub.index_changed();
  EXPECT_TRUE(first.try_acquire_for(patience));
  EXPECT_TRUE(second.try_acquire_for(patience));
}

TEST(EventHub, ForgetsWhoListensNoMore) {
  std::atomic<int> calls = 0;
  std::counting_semaphore<> stays(0);
  EventHub hub;
  hub.listen([&] {
    ++calls;
    return false;
  });
  hub.listen([&] {
    stays.release();
    return true;
  });
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(stays.try_acquire_for(patience));
    hub.index_changed();
  }
  EXPECT_EQ(calls, 1);
}

TEST(EventHub, MakesOneLookOfTheChangesThatComeWhileAListenerLooks) {
  std::counting_semaphore<> begun(0), may_end(0);
  EventHub hub;
  hub.listen([&] {
    begun.release();
    return may_end.try_acquire_for(patience);
  });
  ASSERT_TRUE(begun.try_acquire_for(patience));
  for (int i = 0; i < 100; ++i) hub.index_changed();
  may_end.release();
  ASSERT_TRUE(begun.try_acquire_for(patience));
  may_end.release();
  hub.stop();
  EXPECT_FALSE(begun.try_acquire());
}

TEST(EventHub, CallsNobodyOnceItIsStopped) {
  std::atomic<int> calls = 0;
  EventHub hub;
  hub.stop();
  hub.listen([&] {
    ++calls;
    return true;
  });
  hub.index_changed();
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace loci
