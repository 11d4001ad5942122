// A model for the length of one run: its budget of the day, what the run spends, and when to leave it alone. Belongs to the thread
// of the run, which holds the consolidation lock. What capturing spends (<state>/turns) counts against the same limit.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "consolidate/kept_answers.h"
#include "indexer/indexer.h"
#include "model/language_model.h"
#include "model/model_use.h"
#include "vault/layout/vault.h"

namespace loci {

class ModelAccount {
 public:
  // `progress` is told once a second how long an answer takes; it may be empty.
  ModelAccount(const Vault& vault, LanguageModel& model, const ProgressCallback& progress = {});

  // Asks, if the budget holds it, and writes down at once what that cost: spent is spent, whatever comes of it. What was answered
  // before in a run that has not ended is not asked again.
  Result<ModelAnswer> ask(const ModelRequest& request, std::stop_token stop);

  // What the next questions are for, for the progress: "cluster 2 of 7".
  void now_doing(std::string what, size_t done, size_t total) { doing_ = {std::move(what), done, total}; }
  // The answer cannot be used: it is not taken for one again.
  void reject(const ModelRequest& request) { answers_.drop(request); }
  // The run has ended.
  void drop_answers() { answers_.drop_all(); }

  const LanguageModel& model() const { return model_; }
  // Why no further call is worth it: the budget is spent, the server asked to be left alone, or it failed twice in a row.
  const std::optional<Error>& end() const { return end_; }
  TokenUse spent() const { return spent_; }
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

  // Writes down how the run went with it, for the breaker; `why` if it did not.
  Status close(const Error& why);

 private:
  void spend(const TokenUse& tokens);

  const Vault& vault_;
  LanguageModel& model_;
  const ProgressCallback progress_;
  KeptAnswers answers_;
  Progress doing_;
  ModelUse use_;
  TokenUse spent_;
  std::optional<Error> end_;
  std::optional<Instant> retry_at_;  // as the server asked
  std::vector<std::string> notes_;
  int failures_ = 0;  // one after the other
  bool was_asked_ = false, has_answered_ = false, is_away_ = false;
};

}  // namespace loci
