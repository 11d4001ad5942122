#include "consolidate/consolidation_run.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "consolidate/decide_prompt.h"
#include "consolidate/failures.h"
#include "consolidate/promotion_material.h"
#include "consolidate/still_stands.h"
#include "memory/promoted_lines.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

constexpr std::string_view unusable_lead = "the answer cannot be used: ";

}  // namespace

ConsolidationRun::ConsolidationRun(Memory& memory, LanguageModel* model, const ConsolidateOptions& options, Scope scope,
                                   Consolidated& result)
    : memory_(memory),
      vault_(memory.vault()),
      options_(options),
      scope_(scope),
      result_(result),
      limits_(cluster_limits(memory.vault())) {
  record_.at = memory.now();
  record_.kind = options.rebuild ? "rebuild" : "consolidate";
  record_.model = model ? model->name() : std::string(builtin_model);
  if (model) account_.emplace(vault_, *model);
}

Status ConsolidationRun::go() {
  result_.ran = true;
  TRY(prepare());
  if (auto settled = options_.rebuild ? rebuild() : settle_all(); !settled) note_failure(settled.error());
  note_failed_facts();
  promote();
  return finish();
}

// What a killed run left, and what a person wrote into consolidated entries, comes first: then the index tells the whole.
Status ConsolidationRun::prepare() {
  const auto unfinished = TRY(settle_unfinished(memory_));
  if (unfinished > 0)
    result_.notes.push_back("a run that was cut short was finished: " + std::to_string(unfinished) + " facts settled or let go");
  const auto identity = TRY(new_run(vault_));
  record_.run = identity.run;
  record_.generation = identity.generation;
  record_.at = identity.at;
  TRY(write_run(vault_, record_));
  TRY(file_edited_entries(memory_, identity, record_));
  auto material = TRY(read_material(memory_));
  material_ = std::move(material);
  record_.pending_set = pending_set_of(material_.facts);
  if (std::ranges::any_of(material_.facts, [](const Fact& fact) { return !fact.corrects.empty(); })) {
    const auto logs = TRY(read_logs(vault_));
    overruled_ = take_overruled(material_, logs);
  }
  keep_long_texts_out(material_);
  if (scope_ == Scope::everything)
    agenda_ = make_agenda(material_, account_.has_value(), options_.force, facts_in_question(vault_));
  return {};
}

// Facts that share no word may share a topic.
void ConsolidationRun::give_keys() {
  for (const auto& portion : portions_without_keys(material_, agenda_, limits_)) {
    if (account_->end()) return;
    const auto answer = account_->ask(keys_request(material_, portion), options_.stop);
    const auto keys = answer ? parse_keys(answer->text, portion.size()) : std::unexpected(answer.error());
    // They are only hints: words join facts as well.
    if (!keys)
      result_.notes.push_back("no topics were found for " + std::to_string(portion.size()) + " facts: " + keys.error().message);
    for (size_t i = 0; keys && i < portion.size(); ++i) material_.facts[portion[i]].about = (*keys)[i];
  }
}

Status ConsolidationRun::settle_all() {
  if (!agenda_.by_model.empty()) give_keys();
  const auto portions = portions_to_decide();
  size_t done = 0;
  for (const auto& [cluster, decider] : portions) {
    if (account_ && !end_) end_ = account_->end();
    if (options_.stop.stop_requested() && !end_) end_ = Error{ErrorCode::remote, "stopped", "what was settled so far stays"};
    if (end_) break;
    settle(cluster, decider);
    report(++done, portions.size());
  }
  if (account_ && !end_) end_ = account_->end();
  if (end_) {
    record_.outcome = "stopped";
    record_.reason = end_->message;
    note_failure(*end_);
  }
  return {};
}

std::vector<ConsolidationRun::Portion> ConsolidationRun::portions_to_decide() const {
  std::vector<Portion> portions;
  if (!agenda_.by_rule.empty()) portions.push_back({cluster_of_everything(material_, agenda_.by_rule), Decider::rules});
  if (agenda_.by_model.empty()) return portions;
  for (Cluster& cluster : make_clusters(material_, agenda_.by_model, limits_))
    for (Cluster& part : parts_that_fit(material_, std::move(cluster), account_->model(), tokens_a_day(vault_.config())))
      portions.push_back({std::move(part), Decider::model});
  return portions;
}

Result<Decision> ConsolidationRun::decide(const Cluster& cluster, Decider decider) {
  if (decider == Decider::rules) return builtin_decision(material_, cluster);
  const ModelRequest request = decide_request(material_, cluster);
  record_.prompt = request.task;
  const auto answer = TRY(account_->ask(request, options_.stop));
  auto decision = parse_decision(answer.text, material_, cluster);
  if (!decision) return unusable(decision.error());
  if (auto allowed = check_decision(*decision, material_, cluster); !allowed) return unusable(allowed.error());
  return decision;
}

std::unexpected<Error> ConsolidationRun::unusable(Error error) {
  has_unusable_ = true;
  error.message = std::string(unusable_lead) + error.message;
  return std::unexpected(std::move(error));
}

void ConsolidationRun::settle(const Cluster& cluster, Decider decider) {
  const auto decision = decide(cluster, decider);
  if (!decision) return fail_cluster(cluster, decision.error());
  Plan plan = make_plan(*decision, material_, cluster, identity());
  settle_overruled(plan, material_, overruled_by(plan), identity());
  RunLosses losses = losses_;
  if (auto bearable = check_losses(losses, plan, material_); !bearable) {
    end_ = unusable(bearable.error()).error();
    return fail_cluster(cluster, *end_);
  }
  const auto left_out = decision->left_out(cluster);
  record_cluster(cluster, "applied", {});
  record_.clusters.back().left_out = ids_of(material_.facts, left_out);
  if (auto applied = apply_plan(memory_, plan, record_); !applied) {
    // Somebody saved meanwhile, or git is busy: nobody's fault, and tried again next time.
    drop_untouched_cluster();
    record_cluster(cluster, "failed", applied.error().message);
    return note_failure(applied.error());
  }
  losses_ = losses;
  for (const size_t index : left_out) failed_.push_back(material_.facts[index]);
  if (!left_out.empty())
    note_failure(unusable({ErrorCode::refused, "it leaves " + std::to_string(left_out.size()) + " facts out"}).error());
  for (const size_t index : cluster.facts)
    if (std::ranges::find(left_out, index) == left_out.end()) settled_.push_back(material_.facts[index].id);
}

// What the facts that this plan settles have overruled.
Overruled ConsolidationRun::overruled_by(const Plan& plan) const {
  Overruled chosen;
  std::ranges::copy_if(overruled_, std::back_inserter(chosen), [&](const auto& one) {
    return std::ranges::find(plan.ledger, material_.facts[one.first].id, &LedgerEntry::fact) != plan.ledger.end();
  });
  return chosen;
}

// If files did change before it failed, an undo needs to know.
void ConsolidationRun::drop_untouched_cluster() {
  if (record_.clusters.back().entries.empty()) record_.clusters.pop_back();
}

void ConsolidationRun::record_cluster(const Cluster& cluster, std::string outcome, std::string reason) {
  ClusterRecord& record = record_.clusters.emplace_back();
  record.outcome = std::move(outcome);
  record.reason = std::move(reason);
  record.facts = ids_of(material_.facts, cluster.facts);
}

void ConsolidationRun::fail_cluster(const Cluster& cluster, const Error& error) {
  const bool is_refused = error.code == ErrorCode::refused;
  record_cluster(cluster, is_refused ? "refused" : "failed", error.message);
  note_failure(error);
  if (options_.stop.stop_requested() || end_ || (account_ && account_->end())) return;
  for (const size_t index : cluster.facts) (is_refused ? failed_ : unanswered_).push_back(material_.facts[index]);
}

// The gravest one is told: a disk that fails, then a file that somebody saved meanwhile, then the model.
void ConsolidationRun::note_failure(Error error) {
  if (error.code == ErrorCode::refused && has_unusable_ && error.message.starts_with(unusable_lead)) error.code = ErrorCode::remote;
  if (error.code == ErrorCode::failed) was_interrupted_ = true;
  if (!failure_ || (failure_->code == ErrorCode::remote && error.code != ErrorCode::remote)) failure_ = std::move(error);
}

// A server that answered nobody says nothing about these facts.
void ConsolidationRun::note_failed_facts() {
  if (account_ && account_->has_answered()) std::ranges::move(unanswered_, std::back_inserter(failed_));
  const auto quarantined = note_failures(vault_, failed_, identity(), failure_ ? failure_->message : std::string());
  if (!quarantined) return note_failure(quarantined.error());
  if (*quarantined > 0)
    result_.notes.push_back(std::to_string(*quarantined) + (*quarantined == 1 ? " fact" : " facts") +
                            " failed too often and are left alone from now on; 'loci consolidate --force' tries them again");
}

// Everything anew, or nothing: what stands is replaced only once all of it was decided about.
Status ConsolidationRun::rebuild() {
  auto anew = TRY(read_rebuild_material(memory_));
  const auto in_question = facts_in_question(vault_);
  const auto asked_about =
      std::ranges::find_if(anew.material.facts, [&](const Fact& fact) { return in_question.contains(fact.id); });
  if (asked_about != anew.material.facts.end())
    return fail(ErrorCode::refused, "an entry that rests on '" + asked_about->id + "' was taken out by hand just now",
                "start again in ten minutes, when it counts as deleted, or answer 'loci resolve' if it asks");
  material_ = anew.material;
  record_.generation = anew.next_generation;
  keep_long_texts_out(material_);
  for (Fact& fact : material_.facts) fact.quarantined = false;
  agenda_ = make_agenda(material_, account_.has_value(), true);
  const auto portions = portions_to_decide();
  Plan plan;
  size_t done = 0;
  for (const auto& [cluster, decider] : portions) {
    const auto decision = decide(cluster, decider);
    if (!decision) {
      record_cluster(cluster, decision.error().code == ErrorCode::refused ? "refused" : "failed", decision.error().message);
      return std::unexpected(decision.error());
    }
    if (!decision->left_out(cluster).empty())
      return unusable({ErrorCode::refused, "it leaves facts out, and a rebuild is all or nothing; nothing was changed"});
    Plan part = make_plan(*decision, material_, cluster, identity());
    std::ranges::move(part.changes, std::back_inserter(plan.changes));
    std::ranges::move(part.ledger, std::back_inserter(plan.ledger));
    std::ranges::move(part.tombstones, std::back_inserter(plan.tombstones));
    report(++done, portions.size());
  }
  settle_overruled(plan, material_, anew.overruled, identity());
  ClusterRecord& whole = record_.clusters.emplace_back();
  whole.outcome = "applied";
  for (const Fact& fact : material_.facts) whole.facts.push_back(fact.id);
  if (auto applied = apply_rebuild(memory_, plan, record_); !applied) {
    drop_untouched_cluster();
    return applied;
  }
  for (const Fact& fact : material_.facts) settled_.push_back(fact.id);
  return {};
}

Result<std::vector<PromotedLine>> ConsolidationRun::lines_to_promote(const PromotionInput& input) {
  if (!account_) return builtin_promotion(input);
  const auto answer = TRY(account_->ask(promotion_request(input), options_.stop));
  return parse_promotion(answer.text, input);
}

Result<size_t> ConsolidationRun::write_core() {
  TRY(memory_.bring_up_to_date());
  auto material = TRY(read_material(memory_));
  keep_long_texts_out(material);
  const auto promotion = TRY(read_promotion_material(vault_));
  auto lines = lines_to_promote(promotion.with(material.entries));
  if (!lines) return std::unexpected(lines.error());
  lines = lines_that_still_stand(memory_, std::move(*lines), material.entries);
  if (!lines) return std::unexpected(lines.error());
  const auto written = TRY(write_promotion(vault_, *lines, record_.run, record_.generation));
  if (written)
    if (auto taken = memory_.take_in({core_file_name}); !taken)
      result_.notes.push_back("the index does not know MEMORY.md yet: " + taken.error().message);
  return lines->size();
}

// What fails here costs nothing: the core stays as it was.
void ConsolidationRun::promote() {
  std::vector<std::string> files;
  bring_lines_in_step(memory_, {.run = record_.run}, files, result_.notes);
  if (end_ || (failure_ && settled_.empty())) return;
  if (account_ && scope_ == Scope::leftovers) return;  // nothing is asked, and so nothing billed, for what a full disk cut short
  const auto promoted = write_core();
  if (promoted) {
    result_.promoted = *promoted;
  } else {
    was_interrupted_ |= promoted.error().code == ErrorCode::failed;
    result_.notes.push_back("MEMORY.md is as it was: " + promoted.error().message);
  }
}

Status ConsolidationRun::finish() {
  TRY(clear_failures(vault_, settled_));
  if (account_) {
    record_.tokens = account_->spent();
    std::ranges::move(account_->take_notes(), std::back_inserter(result_.notes));
    TRY(account_->close(failure_.value_or(Error{})));
  }
  record_.ended = memory_.now();
  if (was_interrupted_) record_.outcome = run_interrupted;
  if (record_.outcome.empty()) record_.outcome = failure_ ? "failed" : "done";
  if (record_.reason.empty() && failure_) record_.reason = failure_->message;
  // Only an answer that cannot be used is no better the second time; a server may be back.
  if (!has_unusable_) record_.pending_set.clear();
  TRY(leave_out_purged(vault_, record_));
  TRY(write_run(vault_, record_));
  result_.run = record_;
  result_.failure = failure_;
  return remove_old_runs(vault_);
}

void ConsolidationRun::report(size_t done, size_t total) const {
  if (options_.progress) options_.progress({"consolidating", done, total});
}

}  // namespace loci
