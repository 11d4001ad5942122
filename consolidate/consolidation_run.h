// The run itself, once the gates are open and the lock is held: what is pending -> clusters -> decisions -> files and ledger -> the
// core. Each cluster stands or falls alone. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consolidate/consolidator.h"
#include "consolidate/operations.h"
#include "consolidate/plan.h"
#include "consolidate/promotion.h"
#include "consolidate/store.h"
#include "model/model_use.h"

namespace loci {

class ConsolidationRun {
 public:
  // `model` may be null: the builtin rules decide. Everything given outlives the run.
  ConsolidationRun(Memory& memory, LanguageModel* model, const ConsolidateOptions& options, Consolidated& result);

  Status go();
  // What go() would ask, and how many tokens that would send; writes nothing.
  Status preview();

  // How a cluster is decided about.
  enum class Decider { rules, model };

 private:
  Status prepare();
  Status settle_all();
  Status rebuild();
  void choose_facts();
  bool fits_one_call() const;
  void give_keys();
  Cluster without_model(const std::vector<size_t>& facts) const;
  void settle(const Cluster& cluster, Decider decider);
  Result<Decision> decide(const Cluster& cluster, Decider decider);
  Result<ModelAnswer> ask(const ModelRequest& request);
  void spend(const TokenUse& tokens);
  std::int64_t tokens_a_day() const;
  void record_cluster(const Cluster& cluster, std::string outcome, std::string reason);
  void fail_cluster(const Cluster& cluster, const Error& error);
  void note_failure(Error error);
  std::unexpected<Error> unusable(Error error);
  void note_failed_facts();
  void promote();
  Result<std::vector<PromotedLine>> lines_to_promote(const PromotionInput& input);
  Status finish();
  void report(size_t done, size_t total) const;

  void preview(const Cluster& cluster, Decider decider);
  void preview_keys();
  Status preview_promotion();
  void count_call(std::int64_t tokens);

  RunIdentity identity() const { return {record_.run, record_.generation, record_.at}; }

  Memory& memory_;
  const Vault& vault_;
  LanguageModel* model_;
  const ConsolidateOptions& options_;
  Consolidated& result_;
  RunRecord record_;
  Material material_;
  std::vector<size_t> facts_, private_facts_;  // to be decided about: by the model, and by the rules
  RunLosses losses_;
  ModelUse use_;
  std::vector<Fact> failed_;          // of answers that cannot be used, or that left them out
  std::vector<Fact> unanswered_;      // of calls that failed
  std::vector<std::string> settled_;  // ids
  std::optional<Error> failure_;      // the one to tell
  std::optional<Error> end_;          // why no further cluster is tried
  std::optional<Instant> retry_at_;   // as the model's server asked
  int remote_failures_ = 0;           // one after the other
  bool was_asked_ = false, has_answered_ = false;
  bool is_away_ = false;          // the model's server: no further call is made
  bool has_unusable_ = false;     // one of its answers
  bool was_interrupted_ = false;  // by the disk: another run has to finish this one
};

}  // namespace loci
