// A model whose use is counted: no call beyond the tokens of a day ([models.NAME] max_tokens_a_day), and, for what happens at every
// turn, no more than half of them, and none for a while after it failed three times in a row, so that a dead server does not make
// each turn wait.
//
// What capturing spends is kept in <state>/turns/model-use.json, behind the lock of that folder; what consolidation spends (in the
// state folder itself, behind another lock) counts against the same limit. Both files are of model/model_use.h.
#pragma once

#include "model/language_model.h"
#include "model/model_use.h"
#include "vault/layout/vault.h"

namespace loci {

// What capturing has used today, and how the model did.
ModelUse read_capture_use(const Vault& vault);

// Is a model configured that answers, and is more left of the half of the day's tokens that turns may use than one of them takes?
bool has_room_for_turns(const Vault& vault);

class BudgetedModel final : public LanguageModel {
 public:
  enum class AfterFailures : std::uint8_t { ask, rest };

  BudgetedModel(const Vault& vault, LanguageModel& model, AfterFailures after_failures)
      : vault_(vault), model_(model), after_failures_(after_failures) {}

  // Does the budget of today hold so many tokens more? ErrorCode::remote if it does not.
  Status holds(std::int64_t tokens) const;

  // ErrorCode::remote, without asking, if the budget is spent or the model is left alone.
  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop) override;
  std::int64_t tokens_to_send(const ModelRequest& request) const override { return model_.tokens_to_send(request); }
  const std::string& name() const override { return model_.name(); }
  FailedAsk last_failure() const override { return model_.last_failure(); }

 private:
  Status may_be_asked() const;
  Status note(const TokenUse& tokens, const Error* error, const FailedAsk& failed) const;

  const Vault& vault_;
  LanguageModel& model_;
  AfterFailures after_failures_;
};

}  // namespace loci
