#include "capture/budgeted_model.h"

#include "capture/turn_state.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

std::string today(const Vault& vault) { return vault.clock().local_date(vault.clock().now()); }

std::int64_t spent(const ModelUse& use) { return use.today.input + use.today.output; }

}  // namespace

ModelUse read_capture_use(const Vault& vault) { return read_model_use(vault.files(), turn_folder(vault), today(vault)); }

bool has_room_for_turns(const Vault& vault) {
  constexpr std::int64_t a_turn = 4'000;  // with the prompt and what is known
  const auto& config = vault.config();
  if (!config.models.contains(config.consolidation.model)) return false;
  const ModelUse use = read_capture_use(vault);
  if (use.resting_until(vault.clock().now())) return false;
  const std::int64_t limit = tokens_a_day(config);
  const std::int64_t left = limit - tokens_spent(vault.files(), vault.state_folder(), today(vault));
  return limit == 0 || (left >= a_turn && spent(use) + a_turn <= limit / 2);
}

Status BudgetedModel::may_be_asked() const {
  const ModelUse use = read_capture_use(vault_);
  const auto until = use.resting_until(vault_.clock().now());
  if (after_failures_ == AfterFailures::ask || !until) return {};
  return fail(ErrorCode::remote, "the model is left alone until " + format_rfc3339(*until) + ": " + use.last_error,
              "'loci session end' asks it again");
}

Status BudgetedModel::holds(std::int64_t tokens) const {
  const std::int64_t limit = tokens_a_day(vault_.config());
  if (limit > 0 && after_failures_ == AfterFailures::rest && spent(read_capture_use(vault_)) + tokens > limit / 2)
    return fail(ErrorCode::remote,
                "half of the model's budget of " + std::to_string(limit) +
                    " tokens a day is for what happens at every turn, and does "
                    "not hold another " +
                    std::to_string(tokens),
                "'loci session end' may use the rest; raise max_tokens_a_day");
  if (limit == 0 || tokens_spent(vault_.files(), vault_.state_folder(), today(vault_)) + tokens <= limit) return {};
  return fail(ErrorCode::remote,
              "the model's budget of " + std::to_string(limit) + " tokens a day does not hold another " + std::to_string(tokens),
              "raise max_tokens_a_day, or wait until tomorrow");
}

Status BudgetedModel::note(const TokenUse& tokens, const Error* error, const FailedAsk& failed) const {
  const auto folder = TRY(TurnFolder::lock(vault_));
  ModelUse use = read_capture_use(vault_);
  use.today.input += tokens.input;
  use.today.output += tokens.output;
  const Instant now = vault_.clock().now();
  const auto retry_at = failed.retry_after ? std::optional(now + *failed.retry_after) : std::nullopt;
  use = error ? after_failed_run(std::move(use), *error, retry_at, now) : after_good_run(std::move(use));
  return write_model_use(vault_.files(), turn_folder(vault_), use);
}

Result<ModelAnswer> BudgetedModel::ask(const ModelRequest& request, std::stop_token stop) {
  TRY(may_be_asked());
  TRY(holds(model_.tokens_to_send(request)));
  auto answer = model_.ask(request, stop);
  if (!answer && stop.stop_requested()) return answer;  // nobody's fault
  const FailedAsk failed = answer ? FailedAsk{} : model_.last_failure();
  // What cannot be written down is not counted: the answer is worth more than the count.
  (void)note(answer ? answer->tokens : failed.tokens, answer ? nullptr : &answer.error(), failed);
  return answer;
}

}  // namespace loci
