#include "daemon/model_work.h"

#include <gtest/gtest.h>

#include <future>

namespace loci {
namespace {

TEST(ModelWork, WhatWaitsInTheBackgroundIsBounded) {
  std::promise<void> began, go_on;
  ModelWork work;
  ASSERT_TRUE(work.post_in_background([&](std::stop_token) {
    began.set_value();
    go_on.get_future().wait();
  }));
  began.get_future().wait();
  for (size_t i = 0; i < ModelWork::most_in_background; ++i) EXPECT_TRUE(work.post_in_background([](std::stop_token) {}));
  EXPECT_FALSE(work.post_in_background([](std::stop_token) {}));
  go_on.set_value();
}

TEST(ModelWork, WhatARequestWaitsForDoesNotWaitForTheBackground) {
  std::promise<void> go_on, answered;
  ModelWork work;
  ASSERT_TRUE(work.post_in_background([&](std::stop_token) { go_on.get_future().wait(); }));
  work.post_request([&](std::stop_token) { answered.set_value(); });
  answered.get_future().wait();
  go_on.set_value();
}

TEST(ModelWork, EndingCancelsWhatRuns) {
  std::promise<void> began;
  bool cancelled = false;
  {
    ModelWork work;
    work.post_request([&](const std::stop_token& stop) {
      std::promise<void> stopped;
      const std::stop_callback on_stop(stop, [&] { stopped.set_value(); });
      began.set_value();
      stopped.get_future().wait();
      cancelled = true;
    });
    began.get_future().wait();
  }
  EXPECT_TRUE(cancelled);
}

}  // namespace
}  // namespace loci
