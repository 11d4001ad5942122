#include "daemon/event_hub.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <semaphore>

namespace loci {
namespace {

constexpr std::chrono::seconds patience{20};

TEST(EventHub, CallsEachListenerAtOnceAndForEveryChange) {
  std::counting_semaphore<> first(0), second(0);
  EventHub hub;
  hub.listen([&](const Events&) {
    first.release();
    return true;
  });
  hub.listen([&](const Events&) {
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
  hub.listen([&](const Events&) {
    ++calls;
    return false;
  });
  hub.listen([&](const Events&) {
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
  hub.listen([&](const Events&) {
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

// What a listener is told, in words.
class Heard {
 public:
  EventHub::Listener listener() {
    return [this](const Events& news) {
      told_.with([&](std::vector<std::string>& told) {
        for (const Event& event : news) told.push_back(event.name + ' ' + to_string(event.data));
      });
      called_.release();
      return true;
    };
  }
  std::vector<std::string> after_next_call() {
    EXPECT_TRUE(called_.try_acquire_for(patience));
    return told_.with([](std::vector<std::string>& told) { return std::exchange(told, {}); });
  }

 private:
  Synchronized<std::vector<std::string>> told_;
  std::counting_semaphore<> called_{0};
};

TEST(EventHub, TellsEachListenerWhatIsOtherThanItWasToldLast) {
  std::atomic<int> count = 1;
  EventHub hub([&] { return Events{{"count", Json(count.load())}, {"name", Json("same")}}; });
  Heard early, late;
  hub.listen(early.listener());
  EXPECT_THAT(early.after_next_call(), testing::ElementsAre("count 1", "name \"same\""));
  count = 2;
  hub.something_changed();
  EXPECT_THAT(early.after_next_call(), testing::ElementsAre("count 2"));
  hub.listen(late.listener());
  EXPECT_THAT(late.after_next_call(), testing::ElementsAre("count 2", "name \"same\""));
}

TEST(EventHub, NamesTheFilesThatTheIndexTookInToWhoListenedBefore) {
  EventHub hub;
  Heard heard;
  hub.index_changed({"before.md"});
  hub.listen(heard.listener());
  EXPECT_THAT(heard.after_next_call(), testing::IsEmpty());
  hub.index_changed({"b.md", "a.md"});
  EXPECT_THAT(heard.after_next_call(), testing::ElementsAre(R"(files {"v":1,"files":["a.md","b.md"]})"));
  hub.index_changed();
  EXPECT_THAT(heard.after_next_call(), testing::ElementsAre(R"(files {"v":1,"files":null})"));
}

TEST(EventHub, CallsNobodyOnceItIsStopped) {
  std::atomic<int> calls = 0;
  EventHub hub;
  hub.stop();
  hub.listen([&](const Events&) {
    ++calls;
    return true;
  });
  hub.index_changed();
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace loci
