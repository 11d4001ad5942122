#include "daemon/settings_in_use.h"

#include "base/stoppable_wait.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds look_again{20};

// Whoever takes settings over stops what goes by the old ones.
Status wait_for_newest(SettingsInUse& settings, const std::stop_token& stop) {
  while (!settings.are_newest())
    if (!wait_unless_stopped(look_again, stop))
      return fail(ErrorCode::remote, "the settings were changed before a model was asked", "it is done again by the new ones");
  return {};
}

class LanguageModelByNewest final : public LanguageModel {
 public:
  LanguageModelByNewest(SettingsInUse& settings, std::unique_ptr<LanguageModel> model)
      : settings_(settings), model_(std::move(model)) {}

  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override {
    TRY(wait_for_newest(settings_, stop));
    return model_->ask(request, std::move(stop));
  }
  std::int64_t tokens_to_send(const ModelRequest& request) const override { return model_->tokens_to_send(request); }
  const std::string& name() const override { return model_->name(); }
  FailedAsk last_failure() const override { return model_->last_failure(); }

 private:
  SettingsInUse& settings_;
  const std::unique_ptr<LanguageModel> model_;
};

class EmbeddingModelByNewest final : public EmbeddingModel {
 public:
  EmbeddingModelByNewest(SettingsInUse& settings, std::unique_ptr<EmbeddingModel> model)
      : settings_(settings), model_(std::move(model)) {}

  Result<Embedded> embed(std::span<const std::string> texts, std::chrono::milliseconds patience, std::stop_token stop) override {
    TRY(wait_for_newest(settings_, stop));
    return model_->embed(texts, patience, std::move(stop));
  }
  bool refused_texts() const override { return model_->refused_texts(); }
  std::optional<std::chrono::milliseconds> retry_after() const override { return model_->retry_after(); }

 private:
  SettingsInUse& settings_;
  const std::unique_ptr<EmbeddingModel> model_;
};

}  // namespace

bool SettingsInUse::are_newest() {
  const std::string now = state_();
  bool are_newest = false, is_news = false;
  known_.with([&](Known& known) {
    are_newest = known.read == now && !known.being_taken_over;
    is_news = known.read != now && known.seen != now;
    known.seen = now;
  });
  if (is_news) changed_();
  return are_newest;
}

// Files that are still as they were read were no good then: nothing has to wait for them a second time.
void SettingsInUse::begin_taking_over() {
  std::string now = state_();
  known_.with([&](Known& known) {
    if (known.read == now) return;
    known.being_taken_over = true;
    known.read = std::move(now);
  });
}

void SettingsInUse::keep() {
  known_.with([](Known& known) { known.being_taken_over = false; });
}

std::unique_ptr<LanguageModel> asked_by_newest(SettingsInUse& settings, std::unique_ptr<LanguageModel> model) {
  return model ? std::make_unique<LanguageModelByNewest>(settings, std::move(model)) : nullptr;
}

std::unique_ptr<EmbeddingModel> asked_by_newest(SettingsInUse& settings, std::unique_ptr<EmbeddingModel> model) {
  return model ? std::make_unique<EmbeddingModelByNewest>(settings, std::move(model)) : nullptr;
}

}  // namespace loci
