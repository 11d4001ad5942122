#include "daemon/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/synchronized.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  return condition();
}

// Waits in each step until it is nudged, and in one that is blocked until it is let go.
class Worker {
 public:
  struct State {
    bool nudged = false, blocked = false, stopped = false;
    int steps = 0;
  };

  Loop::Work work() {
    return {.name = "worker",
            .step = [this] { return step(); },
            .nudge = [this] { set(&State::nudged, true); },
            .stop = [this] { set(&State::stopped, true); },
            .progress = [this] { return progress.load(); }};
  }
  void set(bool State::* what, bool to) {
    state_.change([&](State& state) { state.*what = to; });
  }
  int steps() {
    return state_.with([](const State& state) { return state.steps; });
  }

  std::atomic<std::uint64_t> progress{0};

 private:
  bool step() {
    bool goes_on = true;
    state_.wait(
        std::nullopt, [](const State& state) { return state.stopped || (state.nudged && !state.blocked); },
        [&](State& state) {
          state.nudged = false;
          goes_on = !state.stopped;
          ++state.steps;
        });
    return goes_on;
  }

  Synchronized<State> state_;
};

TEST(LoopTest, GoesRoundWhenItIsNudgedUntilItIsToldToStop) {
  Worker worker;
  Loop loop(worker.work());
  loop.start();
  for (int i = 1; i <= 3; ++i) {
    worker.set(&Worker::State::nudged, true);
    EXPECT_TRUE(until([&] { return worker.steps() == i; }));
  }
  loop.stop();
  EXPECT_EQ(worker.steps(), 4);
  loop.stop();
  EXPECT_EQ(worker.steps(), 4);
}

TEST(LoopTest, EndsWithItsOwner) {
  Worker worker;
  {
    Loop loop(worker.work());
    loop.start();
  }
  EXPECT_EQ(worker.steps(), 1);
}

TEST(LoopTest, TheHeartbeatNamesTheOneThatDoesNotGoOn) {
  Worker worker, other;
  Loop stuck(worker.work()), well(other.work());
  worker.set(&Worker::State::blocked, true);
  stuck.start();
  well.start();
  Heartbeat heartbeat({stuck.for_heartbeat(), well.for_heartbeat()});
  EXPECT_THAT(heartbeat.silent(), IsEmpty());
  heartbeat.ask();
  EXPECT_TRUE(until([&] { return heartbeat.silent() == std::vector<std::string>{"worker"}; }));
  worker.set(&Worker::State::blocked, false);
  EXPECT_TRUE(until([&] { return heartbeat.silent().empty(); }));
}

TEST(LoopTest, ALongStepThatGetsOnIsNoSilence) {
  Worker worker;
  Loop loop(worker.work());
  worker.set(&Worker::State::blocked, true);
  loop.start();
  Heartbeat heartbeat({loop.for_heartbeat()});
  heartbeat.ask();
  EXPECT_THAT(heartbeat.silent(), ElementsAre("worker"));
  ++worker.progress;
  EXPECT_THAT(heartbeat.silent(), IsEmpty());
  worker.set(&Worker::State::blocked, false);
}

}  // namespace
}  // namespace loci
