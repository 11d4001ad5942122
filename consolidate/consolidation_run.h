// The run itself, once the gates are open and the lock is held: what is pending -> clusters -> decisions -> files and ledger -> the
// core. Each cluster stands or falls alone. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consolidate/agenda.h"
#include "consolidate/consolidator.h"
#include "consolidate/decide/losses.h"
#include "consolidate/decide/operations.h"
#include "consolidate/decide/plan.h"
#include "consolidate/deliberation.h"
#include "consolidate/model_account.h"
#include "consolidate/promote/promotion.h"
#include "consolidate/runs/store.h"

namespace loci {

class ConsolidationRun {
 public:
  // `model` may be null: the builtin rules decide. Everything given outlives the run.
  enum class Scope : std::uint8_t {
    everything,
    leftovers,  // of a run that was cut short: what it wrote is settled, no fact is decided about and no model is asked
  };
  ConsolidationRun(Memory& memory, LanguageModel* model, const ConsolidateOptions& options, Scope scope, Consolidated& result);

  Status go();

 private:
  enum class Decider : std::uint8_t { rules, model };
  struct Portion {
    std::vector<Cluster> clusters;  // that share a call
    Decider decider;
  };

  Status prepare();
  Status settle_all();
  Status rebuild();
  Result<Plan> plan_of_everything();
  void give_keys();
  std::vector<Portion> portions_to_decide() const;
  Deliberation deliberation();
  void settle_concluded(Deliberation& deliberation);
  void settle(Deliberated deliberated);
  void keep_within_losses(Deliberated& deliberated);
  Overruled overruled_by(const Plan& plan) const;
  void drop_untouched_cluster();
  void record_cluster(const Cluster& cluster, std::string outcome, std::string reason);
  void fail_cluster(const Cluster& cluster, const Error& error);
  void note_failure(Error error);
  std::unexpected<Error> unusable(Error error);
  void note_failed_facts();
  void promote();
  Result<bool> is_core_asked_about() const;
  Result<size_t> write_core();
  Result<std::vector<PromotedLine>> lines_to_promote(const PromotionInput& input);
  Status finish();
  void report(size_t done, size_t total) const;

  RunIdentity identity() const { return {record_.run, record_.generation, record_.at}; }

  Memory& memory_;
  const Vault& vault_;
  const ConsolidateOptions& options_;
  const Scope scope_;
  Consolidated& result_;
  const ClusterLimits limits_;
  std::optional<ModelAccount> account_;  // none: the builtin rules decide
  RunRecord record_;
  Material material_;
  Agenda agenda_;
  Overruled overruled_;
  RunLosses losses_;
  std::vector<Fact> failed_;          // of answers that cannot be used, and of operations that were refused twice
  std::vector<std::string> settled_;  // ids
  std::optional<Error> failure_;      // the one to tell
  std::optional<Error> end_;          // why no further cluster is tried
  bool has_unusable_ = false;         // one of its answers
  bool was_interrupted_ = false;      // by the disk: another run has to finish this one
};

}  // namespace loci
