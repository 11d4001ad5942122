#include "daemon/settings_in_use.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

class CountingModel final : public LanguageModel {
 public:
  explicit CountingModel(int& asked) : asked_(asked) {}
  Result<ModelAnswer> ask(const ModelRequest&, std::stop_token) override {
    ++asked_;
    return ModelAnswer{};
  }
  std::int64_t tokens_to_send(const ModelRequest&) const override { return 0; }
  const std::string& name() const override { return name_; }

 private:
  int& asked_;
  const std::string name_ = "counting";
};

class SettingsInUseTest : public testing::Test {
 protected:
  std::string files = "first";
  int told = 0, asked = 0;
  std::function<void()> when_changed = [] {};
  SettingsInUse settings{"first", [this] { return files; },
                         [this] {
                           ++told;
                           when_changed();
                         }};
  std::unique_ptr<LanguageModel> model = asked_by_newest(settings, std::make_unique<CountingModel>(asked));
};

TEST_F(SettingsInUseTest, EachStateOfTheFilesIsToldOfOnce) {
  EXPECT_TRUE(settings.are_newest());
  files = "second";
  EXPECT_FALSE(settings.are_newest());
  EXPECT_FALSE(settings.are_newest());
  EXPECT_EQ(told, 1);
  files = "third";
  EXPECT_FALSE(settings.are_newest());
  EXPECT_EQ(told, 2);
}

TEST_F(SettingsInUseTest, TheyAreNotTheNewestWhileOthersAreTakenOver) {
  files = "second";
  settings.begin_taking_over();
  EXPECT_FALSE(settings.are_newest());
  settings.keep();
  EXPECT_TRUE(settings.are_newest());
  settings.begin_taking_over();
  EXPECT_TRUE(settings.are_newest()) << "these were no good before";
}

TEST_F(SettingsInUseTest, WhatWouldBeSentByOldSettingsIsNot) {
  files = "second";
  std::stop_source stop;
  when_changed = [&] { stop.request_stop(); };  // as whoever takes them over does
  EXPECT_FALSE(model->ask({}, stop.get_token()));
  EXPECT_EQ(asked, 0);
}

TEST_F(SettingsInUseTest, WhatWaitedForSettingsThatAreNoGoodIsSent) {
  files = "second";
  when_changed = [&] {
    settings.begin_taking_over();
    settings.keep();
  };
  EXPECT_TRUE(model->ask({}, {}));
  EXPECT_EQ(asked, 1);
}

TEST_F(SettingsInUseTest, NoModelStaysNone) {
  EXPECT_EQ(asked_by_newest(settings, std::unique_ptr<LanguageModel>()), nullptr);
  EXPECT_EQ(asked_by_newest(settings, std::unique_ptr<EmbeddingModel>()), nullptr);
}

}  // namespace
}  // namespace loci
