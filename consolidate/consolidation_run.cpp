#include "consolidate/consolidation_run.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/counted.h"
#include "consolidate/decide/decide_prompt.h"
#include "consolidate/promote/lines_that_stand.h"
#include "consolidate/promote/promotion_material.h"
#include "consolidate/rebuild_mark.h"
#include "consolidate/runs/failures.h"
#include "consolidate/runs/still_stands.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "memory/promoted_lines.h"
#include "memory/status.h"
#include "parser/core_file.h"
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
  if (model) account_.emplace(vault_, *model, options_.progress);
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
    result_.notes.push_back("a run that was cut short was finished: " + counted(unfinished, "fact", "facts") +
                            " settled or let go");
  const auto identity = TRY(new_run(vault_));
  record_.run = identity.run;
  record_.generation = identity.generation;
  record_.at = identity.at;
  TRY(write_run(vault_, record_));
  TRY(file_edited_entries(memory_, identity, record_));
  auto material = TRY(read_material(memory_));
  material_ = std::move(material);
  if (account_ && scope_ == Scope::everything) TRY(offer_again(memory_, material_, options_.force));
  if (std::ranges::any_of(material_.facts, [](const Fact& fact) { return !fact.corrects.empty(); })) {
    const auto logs = TRY(read_logs(vault_));
    overruled_ = take_overruled(material_, logs);
  }
  keep_long_texts_out(material_);
  if (scope_ == Scope::everything)
    agenda_ = make_agenda(material_, account_.has_value(), options_.force, TRY(facts_in_question(memory_)));
  return {};
}

// Facts that share no word may share a topic.
void ConsolidationRun::give_keys() {
  KeptKeys kept = KeptKeys::read(vault_);
  kept.give(material_.facts);
  const auto portions = portions_without_keys(material_, agenda_, limits_, kept);
  for (size_t number = 0; number < portions.size() && !account_->end(); ++number) {
    const auto& portion = portions[number];
    account_->now_doing("finding topics", number, portions.size());
    const auto answer = account_->ask(keys_request(material_, portion), options_.stop);
    const auto keys = answer ? parse_keys(answer->text, portion.size()) : std::unexpected(answer.error());
    // They are only hints: words join facts as well.
    if (!keys)
      result_.notes.push_back("no topics were found for " + std::to_string(portion.size()) + " facts: " + keys.error().message);
    for (size_t i = 0; keys && i < portion.size(); ++i) {
      material_.facts[portion[i]].about = (*keys)[i];
      kept.add(material_.facts[portion[i]], (*keys)[i]);
    }
  }
  if (portions.empty()) return;
  if (auto written = kept.write(vault_, material_.facts); !written)
    result_.notes.push_back("the topics are not kept, and asked for again: " + written.error().message);
}

Status ConsolidationRun::settle_all() {
  if (!agenda_.by_model.empty()) give_keys();
  const auto portions = portions_to_decide();
  size_t done = 0;
  std::optional<Deliberation> together;
  if (account_) together.emplace(deliberation());
  for (const auto& [clusters, decider] : portions) {
    if (account_ && !end_) end_ = account_->end();
    if (options_.stop.stop_requested() && !end_) end_ = Error{ErrorCode::remote, "stopped", "what was settled so far stays"};
    if (end_) break;
    if (decider == Decider::rules) {
      settle({clusters.front(), builtin_decision(material_, clusters.front()), {}, {}, {}, 0});
    } else {
      account_->now_doing("call " + std::to_string(done + 1) + " of " + std::to_string(portions.size()), done, portions.size());
      together->decide(clusters);
      if (together->is_full()) settle_concluded(*together);
    }
    report(++done, portions.size());
  }
  if (together) settle_concluded(*together);
  if (account_ && !end_) end_ = account_->end();
  if (end_) {
    record_.outcome = run_stopped;
    record_.reason = end_->message;
    note_failure(*end_);
  }
  return {};
}

std::vector<ConsolidationRun::Portion> ConsolidationRun::portions_to_decide() const {
  std::vector<Portion> portions;
  if (!agenda_.by_rule.empty()) portions.push_back({{cluster_of_everything(material_, agenda_.by_rule)}, Decider::rules});
  if (agenda_.by_model.empty()) return portions;
  for (auto& call : calls_to_decide(material_, agenda_.by_model, limits_, account_->model(), tokens_a_day(vault_.config())))
    portions.push_back({std::move(call), Decider::model});
  return portions;
}

Deliberation ConsolidationRun::deliberation() {
  record_.prompt = decide_prompt_version;
  // A rebuild that goes on asks what it asked on its first day, or it would pay again.
  const auto begun = options_.rebuild ? rebuild_begun(vault_) : std::nullopt;
  const std::string today = vault_.clock().local_date(begun.value_or(vault_.clock().now()));
  return {material_, *account_, {vault_.config().consolidation.verify, today}, options_.stop};
}

std::unexpected<Error> ConsolidationRun::unusable(Error error) {
  has_unusable_ = true;
  error.message = std::string(unusable_lead) + error.message;
  return std::unexpected(std::move(error));
}

// The clusters of one second reading.
void ConsolidationRun::settle_concluded(Deliberation& deliberation) {
  for (Deliberated& one : deliberation.conclude()) settle(std::move(one));
}

// What takes too much away is not done; the rest of the answer is.
void ConsolidationRun::keep_within_losses(Deliberated& deliberated) {
  auto [decision, refused] = bearable_part(losses_, deliberated.decision, material_, deliberated.cluster, identity());
  if (refused.empty()) return;
  deliberated.decision = std::move(decision);
  std::vector<size_t> facts;
  for (const RefusedOperation& one : refused) facts.insert(facts.end(), one.operation.facts.begin(), one.operation.facts.end());
  result_.notes.push_back("not done: " + refused.front().why.front());
  std::ranges::move(refused, std::back_inserter(deliberated.refused));
  keep_word_for_word(deliberated, facts, material_);
}

void ConsolidationRun::settle(Deliberated deliberated) {
  keep_within_losses(deliberated);
  const auto& [cluster, decision, failed, refused, failure, decided] = deliberated;
  record_.decided += decided;
  record_.refused += static_cast<std::int64_t>(refused.size());
  if (failure && decision.operations.empty())
    return fail_cluster(cluster, failure->code == ErrorCode::refused ? unusable(*failure).error() : *failure);
  Plan plan = make_plan(decision, material_, cluster, identity());
  settle_overruled(plan, material_, overruled_by(plan), identity());
  RunLosses losses = losses_;
  if (auto bearable = check_losses(losses, plan, material_); !bearable)
    return fail_cluster(cluster, unusable(bearable.error()).error());
  const auto left_out = decision.left_out(cluster);
  record_cluster(cluster, "applied", {});
  record_.clusters.back().left_out = ids_of(material_.facts, left_out);
  for (const RefusedOperation& one : refused)
    record_.clusters.back().refused.push_back(
        {std::string(name_of(one.operation.kind)), one.operation.text, ids_of(material_.facts, one.operation.facts), one.why});
  if (auto applied = apply_plan(memory_, plan, record_); !applied) {
    // Somebody saved meanwhile, or git is busy: nobody's fault, and tried again next time.
    drop_untouched_cluster();
    record_cluster(cluster, "failed", applied.error().message);
    return note_failure(applied.error());
  }
  losses_ = losses;
  for (const size_t index : failed) failed_.push_back(material_.facts[index]);
  if (failure) note_failure(*failure);
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
  if (!is_refused) return;  // a call that failed says nothing about these facts
  for (const size_t index : cluster.facts) failed_.push_back(material_.facts[index]);
}

// The gravest one is told: a disk that fails, then a file that somebody saved meanwhile, then the model.
void ConsolidationRun::note_failure(Error error) {
  if (error.code == ErrorCode::refused && has_unusable_ && error.message.starts_with(unusable_lead)) error.code = ErrorCode::remote;
  if (error.code == ErrorCode::failed) was_interrupted_ = true;
  if (!failure_ || (failure_->code == ErrorCode::remote && error.code != ErrorCode::remote)) failure_ = std::move(error);
}

// A server that answered nobody says nothing about these facts.
void ConsolidationRun::note_failed_facts() {
  const auto quarantined =
      note_failures(vault_, failed_, identity(), failure_ ? failure_->message : "what was decided about it was refused twice");
  if (!quarantined) return note_failure(quarantined.error());
  if (*quarantined > 0)
    result_.notes.push_back(std::to_string(*quarantined) + (*quarantined == 1 ? " fact" : " facts") +
                            " failed too often and are left alone from now on; 'loci consolidate --force' tries them again");
}

// Everything anew, or nothing: what stands is replaced only once all of it was decided about. What was answered before it was
// stopped is not asked again.
Status ConsolidationRun::rebuild() {
  auto anew = TRY(read_rebuild_material(memory_));
  const auto in_question = TRY(facts_in_question(memory_));
  const auto asked_about =
      std::ranges::find_if(anew.material.facts, [&](const Fact& fact) { return in_question.contains(fact.id); });
  if (asked_about != anew.material.facts.end())
    return fail(ErrorCode::refused, "an entry that rests on '" + asked_about->id + "' was taken out by hand just now",
                "start again in ten minutes, when it counts as deleted, or answer 'loci resolve' if it asks");
  if (const auto begun = rebuild_begun(vault_); begun && account_)
    result_.notes.push_back("the rebuild that was begun at " + format_rfc3339(*begun) + " goes on");
  else if (account_)
    TRY(begin_rebuild(vault_));
  material_ = anew.material;
  record_.generation = anew.next_generation;
  keep_long_texts_out(material_);
  for (Fact& fact : material_.facts) fact.quarantined = false;
  agenda_ = make_agenda(material_, account_.has_value(), true);
  Plan plan = TRY(plan_of_everything());
  settle_overruled(plan, material_, anew.overruled, identity());
  ClusterRecord& whole = record_.clusters.emplace_back();
  whole.outcome = "applied";
  for (const Fact& fact : material_.facts) whole.facts.push_back(fact.id);
  if (auto applied = apply_rebuild(memory_, plan, record_); !applied) {
    drop_untouched_cluster();
    return applied;
  }
  for (const LedgerEntry& line : plan.ledger) settled_.push_back(line.fact);  // an agent's that failed twice is pending
  return end_rebuild(vault_);
}

// A cluster that fails does not keep the others from being decided: their answers are kept.
Result<Plan> ConsolidationRun::plan_of_everything() {
  const auto portions = portions_to_decide();
  Plan plan;
  size_t decided = 0, failed = 0, asked = 0;  // clusters, and calls
  std::optional<Error> failure;
  std::vector<Fact> failed_twice;
  const auto take = [&](const Deliberated& one) {
    record_.decided += one.decided;
    record_.refused += static_cast<std::int64_t>(one.refused.size());
    if (one.failure) {
      ++failed;
      failure = failure.value_or(one.failure->code == ErrorCode::refused ? unusable(*one.failure).error() : *one.failure);
      return record_cluster(one.cluster, "failed", one.failure->message);
    }
    ++decided;
    for (const size_t index : one.failed) failed_twice.push_back(material_.facts[index]);
    Plan part = make_plan(one.decision, material_, one.cluster, identity());
    std::ranges::move(part.changes, std::back_inserter(plan.changes));
    std::ranges::move(part.ledger, std::back_inserter(plan.ledger));
    std::ranges::move(part.tombstones, std::back_inserter(plan.tombstones));
  };
  std::optional<Deliberation> together;
  if (account_) together.emplace(deliberation());
  const auto conclude = [&] {
    for (const Deliberated& one : together->conclude()) take(one);
  };
  for (size_t number = 0; number < portions.size(); ++number) {
    const auto& [clusters, decider] = portions[number];
    if (decider == Decider::rules) {
      take({clusters.front(), builtin_decision(material_, clusters.front()), {}, {}, {}, 0});
      report(++asked, portions.size());
      continue;
    }
    if (options_.stop.stop_requested() || account_->end()) break;
    account_->now_doing("call " + std::to_string(number + 1) + " of " + std::to_string(portions.size()), number, portions.size());
    together->decide(clusters);
    if (together->is_full()) conclude();
    report(++asked, portions.size());
  }
  if (together) conclude();
  if (asked == portions.size() && failed == 0) {
    std::ranges::move(failed_twice, std::back_inserter(failed_));
    return plan;
  }
  Error error = failure.value_or(account_->end().value_or(Error{ErrorCode::remote, "stopped", {}}));
  error.message += "; " + std::to_string(decided) + " of " + std::to_string(decided + failed + portions.size() - asked) +
                   " portions are decided, and nothing was changed yet";
  error.hint = "'loci consolidate --rebuild' goes on with the rest, '--rebuild --abandon' gives it up";
  return std::unexpected(std::move(error));
}

Result<std::vector<PromotedLine>> ConsolidationRun::lines_to_promote(const PromotionInput& input) {
  if (!account_) return builtin_promotion(input);
  if (!is_anything_offered(input)) return std::vector<PromotedLine>{};
  account_->now_doing("choosing lines for MEMORY.md", 0, 1);
  const auto answer = TRY(account_->ask(promotion_request(input), options_.stop));
  return parse_promotion(answer.text, input);
}

// A person is asked about MEMORY.md itself: nobody writes there.
Result<bool> ConsolidationRun::is_core_asked_about() const {
  const auto questions = TRY(waiting_questions(vault_));
  return std::ranges::find(questions, core_file_name, &Question::file) != questions.end();
}

Result<size_t> ConsolidationRun::write_core() {
  // Before a model is asked, and billed. What is no file stays so until somebody moves it away: that is no run cut short.
  if (const auto other = what_stands_instead_of(vault_.file(core_file_name)); !other.empty())
    return fail(ErrorCode::refused, "it is " + other);
  const auto present = TRY(read_file_if_any(vault_.files(), vault_.file(core_file_name)));
  TRY(check_no_conflict(present.value_or(std::string())));
  if (TRY(is_core_asked_about())) return size_t{0};
  TRY(memory_.bring_up_to_date());
  auto material = TRY(read_material(memory_));
  keep_long_texts_out(material);
  const auto promotion = TRY(read_promotion_material(vault_));
  auto lines = lines_to_promote(promotion.with(material.entries));
  if (!lines) return std::unexpected(lines.error());
  lines = lines_that_still_stand(memory_, std::move(*lines), material.entries);
  if (!lines) return std::unexpected(lines.error());
  TRY(understand(memory_));  // what was saved since the run began: a line may have been taken out
  if (TRY(is_core_asked_about())) return size_t{0};
  const auto now = TRY(read_promotion_material(vault_));
  std::erase_if(*lines, [&](const PromotedLine& line) { return std::ranges::find(now.barred, line.ref) != now.barred.end(); });
  const auto to_leave = TRY(lines_to_leave(memory_, now.shown));
  const auto written = TRY(write_promotion(vault_, *lines, record_.run, record_.generation, to_leave));
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
    result_.cost = price_of(vault_.config(), record_.model, record_.tokens.input, record_.tokens.output);
    std::ranges::move(account_->take_notes(), std::back_inserter(result_.notes));
    if (!rebuild_begun(vault_)) account_->drop_answers();
    TRY(account_->close(failure_.value_or(Error{})));
  }
  record_.ended = memory_.now();
  if (was_interrupted_) record_.outcome = run_interrupted;
  if (options_.stop.stop_requested() && record_.outcome == run_stopped) record_.outcome = run_cancelled;
  if (record_.outcome.empty()) record_.outcome = failure_ ? run_failed : "done";
  if (record_.reason.empty() && failure_) record_.reason = failure_->message;
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
