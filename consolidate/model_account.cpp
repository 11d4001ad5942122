#include "consolidate/model_account.h"

#include <utility>

#include "consolidate/waiting.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

constexpr int failures_that_end = 2;  // in a row: the server is away, and every try takes minutes

std::string today(const Vault& vault) { return vault.clock().local_date(vault.clock().now()); }

}  // namespace

ModelAccount::ModelAccount(const Vault& vault, LanguageModel& model, const ProgressCallback& progress)
    : vault_(vault),
      model_(model),
      progress_(progress),
      answers_(vault),
      use_(read_model_use(vault.files(), vault.state_folder(), today(vault))) {}

Result<ModelAnswer> ModelAccount::ask(const ModelRequest& request, std::stop_token stop) {
  if (auto kept = answers_.find(request)) {
    has_answered_ = was_asked_ = true;
    return *kept;
  }
  const std::int64_t limit = tokens_a_day(vault_.config()), wanted = model_.tokens_to_send(request);
  if (limit > 0 && tokens_spent(vault_.files(), vault_.state_folder(), today(vault_)) + wanted > limit) {
    end_ = Error{
        ErrorCode::remote,
        "the model's budget of " + std::to_string(limit) + " tokens a day does not hold another call of " + std::to_string(wanted),
        "raise max_tokens_a_day, or wait until tomorrow"};
    return std::unexpected(*end_);
  }
  was_asked_ = true;
  auto answer = [&] {
    const Waiting waiting(progress_, doing_, model_.name());
    return model_.ask(request, stop);
  }();
  if (!answer && stop.stop_requested()) {  // a shutdown is not the model's failure
    was_asked_ = has_answered_;
    end_ = answer.error();
  }
  const FailedAsk failed = answer ? FailedAsk{} : model_.last_failure();
  spend(answer ? answer->tokens : failed.tokens);
  if (answer) {
    failures_ = 0;
    has_answered_ = true;
    if (auto kept = answers_.keep(request, *answer); !kept) notes_.push_back("an answer was not kept: " + kept.error().message);
  }
  if (answer || end_) return answer;
  if (failed.retry_after) retry_at_ = vault_.clock().now() + *failed.retry_after;
  is_away_ = failed.retry_after || ++failures_ == failures_that_end;
  if (is_away_) end_ = answer.error();
  return answer;
}

void ModelAccount::spend(const TokenUse& tokens) {
  for (TokenUse* use : {&spent_, &use_.today}) {
    use->input += tokens.input;
    use->output += tokens.output;
  }
  if (auto written = write_model_use(vault_.files(), vault_.state_folder(), use_); !written)
    notes_.push_back("the tokens spent were not written down: " + written.error().message);
}

Status ModelAccount::close(const Error& why) {
  if (!was_asked_) return {};
  const bool went_well = has_answered_ && !is_away_;
  use_ = went_well ? after_good_run(std::move(use_)) : after_failed_run(std::move(use_), why, retry_at_, vault_.clock().now());
  return write_model_use(vault_.files(), vault_.state_folder(), use_);
}

}  // namespace loci
