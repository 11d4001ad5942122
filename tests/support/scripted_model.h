// A language model that says what a test told it to, in order, and keeps what it was asked. A question beyond the script fails like
// a server that does not answer.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/language_model.h"
#include "tokens/estimate.h"

namespace loci {

class ScriptedModel final : public LanguageModel {
 public:
  ScriptedModel() = default;
  explicit ScriptedModel(std::initializer_list<std::string> answers) {
    for (const std::string& text : answers) answer(text);
  }

  // What the next question that has no answer yet gets.
  void answer(std::string text) { answers_.emplace_back(std::move(text)); }
  void fail_with(Error error) { answers_.emplace_back(std::unexpected(std::move(error))); }
  // Every question that is not in the script gets what this makes of it.
  void answer_always(std::function<Result<std::string>(const ModelRequest&)> answer) { always_ = std::move(answer); }
  // Runs before each answer is given: what happens while a model thinks.
  void while_asked(std::function<void()> happen) { while_asked_ = std::move(happen); }

  const std::vector<ModelRequest>& requests() const { return requests_; }
  size_t unused() const { return answers_.size(); }

  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override {
    requests_.push_back(request);
    if (while_asked_) while_asked_();
    if (stop.stop_requested()) return fail(ErrorCode::remote, "cancelled");
    auto text = next(request);
    if (!text) return std::unexpected(text.error());
    const TokenUse tokens{tokens_to_send(request), estimate_tokens(*text)};
    return ModelAnswer{std::move(*text), tokens};
  }

  std::int64_t tokens_to_send(const ModelRequest& request) const override {
    return estimate_tokens(request.instructions) + estimate_tokens(request.input);
  }

  const std::string& name() const override { return name_; }

 private:
  Result<std::string> next(const ModelRequest& request) {
    if (!answers_.empty()) {
      auto text = std::move(answers_.front());
      answers_.pop_front();
      return text;
    }
    if (always_) return always_(request);
    return fail(ErrorCode::remote, "the model does not answer");
  }

  std::deque<Result<std::string>> answers_;
  std::function<Result<std::string>(const ModelRequest&)> always_;
  std::function<void()> while_asked_;
  std::vector<ModelRequest> requests_;
  std::string name_ = "scripted (test, none)";
};

}  // namespace loci
