#include "consolidate/consolidation_run.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "consolidate/decide_prompt.h"
#include "consolidate/failures.h"
#include "consolidate/promotion.h"
#include "memory/vault_logs.h"

namespace loci {
namespace {

constexpr size_t facts_a_keys_call = 100;
constexpr int remote_failures_that_end = 2;  // in a row: the server is away, and every try takes minutes
constexpr size_t most_shown_entries = 60;    // of one call
constexpr std::string_view unusable_lead = "the answer cannot be used: ";

ClusterLimits limits_of(const Vault& vault) {
  const auto& settings = vault.config().consolidation;
  return {.most_facts = static_cast<size_t>(std::max<std::int64_t>(settings.cluster_max, 1)),
          .most_entries = most_shown_entries,
          .neighbors = static_cast<size_t>(std::max<std::int64_t>(settings.neighbor_k, 1))};
}

template <typename Range>
std::vector<std::string> ids_of(const Range& all, const std::vector<size_t>& chosen) {
  std::vector<std::string> ids;
  for (const size_t index : chosen) ids.push_back(all[index].id);
  return ids;
}

// The ids whose line a person took out of the core, and has not asked for since.
std::vector<std::string> demoted(const VaultLogs& logs) {
  std::vector<std::string> ids;
  for (const Tombstone& tombstone : logs.tombstones) {
    std::erase(ids, tombstone.id);
    if (tombstone.reason == Tombstone::Reason::demoted) ids.push_back(tombstone.id);
  }
  return ids;
}

// As it would be if the builtin rules had added it: what a promotion after the run will see, about.
DurableEntry as_entry(const Fact& fact) {
  DurableEntry entry;
  entry.id = fact.id;
  entry.text = fact.text;
  entry.source = fact.source;
  entry.updated = fact.day;
  entry.is_private = fact.is_private;
  return entry;
}

}  // namespace

ConsolidationRun::ConsolidationRun(Memory& memory, LanguageModel* model, const ConsolidateOptions& options, Consolidated& result)
    : memory_(memory), vault_(memory.vault()), model_(model), options_(options), result_(result) {
  record_.at = memory.now();
  record_.kind = options.rebuild ? "rebuild" : "consolidate";
  record_.model = model ? model->name() : std::string(builtin_model);
  use_ = read_model_use(vault_.files(), vault_.state_folder(), vault_.clock().local_date(record_.at));
}

Status ConsolidationRun::go() {
  result_.ran = true;
  if (auto ready = prepare(); !ready) return ready;
  if (auto settled = options_.rebuild ? rebuild() : settle_all(); !settled) note_failure(settled.error());
  note_failed_facts();
  promote();
  return finish();
}

// What a killed run left, and what a person wrote into consolidated entries, comes first: then the index tells the whole.
Status ConsolidationRun::prepare() {
  const auto unfinished = settle_unfinished(memory_);
  if (!unfinished) return std::unexpected(unfinished.error());
  if (*unfinished > 0)
    result_.notes.push_back("a run that was cut short was finished: " + std::to_string(*unfinished) + " facts settled or let go");
  const auto identity = new_run(vault_);
  if (!identity) return std::unexpected(identity.error());
  record_.run = identity->run;
  record_.generation = identity->generation;
  record_.at = identity->at;
  if (auto written = write_run(vault_, record_); !written) return written;
  if (const auto edited = file_edited_entries(memory_, *identity, record_); !edited) return std::unexpected(edited.error());
  auto material = read_material(memory_);
  if (!material) return std::unexpected(material.error());
  material_ = std::move(*material);
  record_.pending_set = pending_set_of(material_.facts);
  choose_facts();
  return {};
}

void ConsolidationRun::choose_facts() {
  for (size_t i = 0; i < material_.facts.size(); ++i) {
    const Fact& fact = material_.facts[i];
    if (fact.quarantined && !options_.force) continue;
    (model_ && !fact.is_private ? facts_ : private_facts_).push_back(i);
  }
}

// One cluster of everything: the builtin rules need no neighbours.
Cluster ConsolidationRun::without_model(const std::vector<size_t>& facts) const {
  Cluster cluster{facts, {}, {}};
  for (size_t i = 0; i < material_.entries.size(); ++i)
    if (material_.entries[i].writable) cluster.writable.push_back(i);
  return cluster;
}

bool ConsolidationRun::fits_one_call() const {
  const ClusterLimits limits = limits_of(vault_);
  return facts_.size() <= limits.most_facts && material_.entries.size() <= limits.most_entries;
}

// Facts that share no word may share a topic. Where everything fits one call they meet anyway.
void ConsolidationRun::give_keys() {
  if (fits_one_call()) return;
  std::vector<size_t> bare;
  for (const size_t index : facts_)
    if (material_.facts[index].about.empty()) bare.push_back(index);
  for (size_t begin = 0; begin < bare.size() && !end_; begin += facts_a_keys_call) {
    const std::vector<size_t> some(bare.begin() + static_cast<std::ptrdiff_t>(begin),
                                   bare.begin() + static_cast<std::ptrdiff_t>(std::min(begin + facts_a_keys_call, bare.size())));
    const auto answer = ask(keys_request(material_, some));
    if (!answer) {  // they are only hints: words join facts as well
      result_.notes.push_back("no topics were found for " + std::to_string(some.size()) + " facts: " + answer.error().message);
      continue;
    }
    const auto keys = parse_keys(answer->text, some.size());
    for (size_t i = 0; keys && i < some.size(); ++i) material_.facts[some[i]].about = (*keys)[i];
  }
}

Status ConsolidationRun::settle_all() {
  std::vector<Cluster> all;
  if (!facts_.empty()) {
    give_keys();
    all = make_clusters(material_, facts_, limits_of(vault_));
  }
  const size_t total = all.size() + (private_facts_.empty() ? 0 : 1);
  size_t done = 0;
  if (!private_facts_.empty()) {
    settle(without_model(private_facts_), Decider::rules);
    report(++done, total);
  }
  for (const Cluster& cluster : all) {
    if (options_.stop.stop_requested() && !end_) end_ = Error{ErrorCode::remote, "stopped", "what was settled so far stays"};
    if (end_) break;
    settle(cluster, Decider::model);
    report(++done, total);
  }
  if (end_) {
    record_.outcome = "stopped";
    record_.reason = end_->message;
    note_failure(*end_);
  }
  return {};
}

Result<ModelAnswer> ConsolidationRun::ask(const ModelRequest& request) {
  const std::int64_t limit = tokens_a_day();
  const std::int64_t wanted = model_->tokens_to_send(request);
  if (limit > 0 && use_.today.total() + wanted > limit) {
    end_ = Error{
        ErrorCode::remote,
        "the model's budget of " + std::to_string(limit) + " tokens a day does not hold another call of " + std::to_string(wanted),
        "raise max_tokens_a_day, or wait until tomorrow"};
    return std::unexpected(*end_);
  }
  was_asked_ = true;
  auto answer = model_->ask(request, options_.stop);
  const FailedAsk failed = answer ? FailedAsk{} : model_->last_failure();
  spend(answer ? answer->tokens : failed.tokens);
  if (answer) {
    remote_failures_ = 0;
    has_answered_ = true;
    return answer;
  }
  if (failed.retry_after) retry_at_ = memory_.now() + *failed.retry_after;
  is_away_ = failed.retry_after || ++remote_failures_ == remote_failures_that_end;
  if (is_away_) end_ = answer.error();
  return answer;
}

// Spent is spent, whatever comes of it: written down at once.
void ConsolidationRun::spend(const TokenUse& tokens) {
  for (TokenUse* use : {&record_.tokens, &use_.today}) {
    use->input += tokens.input;
    use->output += tokens.output;
  }
  if (auto written = write_model_use(vault_.files(), vault_.state_folder(), use_); !written)
    result_.notes.push_back("the tokens spent were not written down: " + written.error().message);
}

std::int64_t ConsolidationRun::tokens_a_day() const {
  const auto& config = vault_.config();
  const auto named = config.models.find(config.consolidation.model);
  return named == config.models.end() ? 0 : named->second.max_tokens_a_day;
}

Result<Decision> ConsolidationRun::decide(const Cluster& cluster, Decider decider) {
  if (decider == Decider::rules) return builtin_decision(material_, cluster);
  const ModelRequest request = decide_request(material_, cluster);
  record_.prompt = request.task;
  const auto answer = ask(request);
  if (!answer) return std::unexpected(answer.error());
  auto decision = parse_decision(answer->text, material_, cluster);
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
  const Plan plan = make_plan(*decision, material_, cluster, identity());
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
    record_.clusters.pop_back();
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
  if (options_.stop.stop_requested() || end_) return;
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
  if (has_answered_) std::ranges::move(unanswered_, std::back_inserter(failed_));
  const auto quarantined = note_failures(vault_, failed_, identity(), failure_ ? failure_->message : std::string());
  if (!quarantined) return note_failure(quarantined.error());
  if (*quarantined > 0)
    result_.notes.push_back(std::to_string(*quarantined) + (*quarantined == 1 ? " fact" : " facts") +
                            " failed too often and are left alone from now on; 'loci consolidate --force' tries them again");
}

// Everything anew, or nothing: what stands is replaced only once all of it was decided about.
Status ConsolidationRun::rebuild() {
  auto anew = read_rebuild_material(memory_);
  if (!anew) return std::unexpected(anew.error());
  material_ = anew->material;
  record_.generation = anew->next_generation;
  facts_.clear();
  private_facts_.clear();
  for (Fact& fact : material_.facts) fact.quarantined = false;
  choose_facts();
  auto all = facts_.empty() ? std::vector<Cluster>{} : make_clusters(material_, facts_, limits_of(vault_));
  std::vector<std::pair<Cluster, Decider>> decided;
  if (!private_facts_.empty()) decided.emplace_back(without_model(private_facts_), Decider::rules);
  for (Cluster& cluster : all) decided.emplace_back(std::move(cluster), Decider::model);
  Plan plan;
  size_t done = 0;
  for (const auto& [cluster, decider] : decided) {
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
    report(++done, decided.size());
  }
  settle_overruled(plan, *anew, identity());
  ClusterRecord& whole = record_.clusters.emplace_back();
  whole.outcome = "applied";
  for (const Fact& fact : material_.facts) whole.facts.push_back(fact.id);
  if (auto applied = apply_rebuild(memory_, plan, record_); !applied) {
    record_.clusters.pop_back();
    return applied;
  }
  for (const Fact& fact : material_.facts) settled_.push_back(fact.id);
  return {};
}

Result<std::vector<PromotedLine>> ConsolidationRun::lines_to_promote(const PromotionInput& input) {
  if (!model_) return builtin_promotion(input);
  const auto answer = ask(promotion_request(input));
  if (!answer) return std::unexpected(answer.error());
  auto lines = parse_promotion(answer->text, input);
  if (!lines) return lines;
  // What the model must not see is chosen by rule.
  std::vector<DurableEntry> hidden;
  std::ranges::copy_if(input.entries, std::back_inserter(hidden), &DurableEntry::is_private);
  std::ranges::move(builtin_promotion({hidden, input.recalls, input.barred, input.most_lines}), std::back_inserter(*lines));
  return lines;
}

// What fails here costs nothing: the core stays as it was.
void ConsolidationRun::promote() {
  const auto failed = [&](const Error& error) {
    was_interrupted_ |= error.code == ErrorCode::failed;
    result_.notes.push_back("MEMORY.md is as it was: " + error.message);
  };
  if (end_ || (failure_ && settled_.empty())) return;
  if (auto fresh = memory_.bring_up_to_date(); !fresh) return failed(fresh.error());
  const auto material = read_material(memory_);
  if (!material) return failed(material.error());
  const auto recalls = read_recall_counts(vault_);
  if (!recalls) return failed(recalls.error());
  const auto logs = read_logs(vault_);
  if (!logs) return failed(logs.error());
  const auto most = static_cast<size_t>(std::max<std::int64_t>(vault_.config().consolidation.memory_max_lines, 0));
  const auto lines = lines_to_promote({material->entries, *recalls, demoted(*logs), most});
  if (!lines) return failed(lines.error());
  const auto written = write_promotion(vault_, *lines, record_.run, record_.generation);
  if (!written) return failed(written.error());
  result_.promoted = lines->size();
  if (!*written) return;
  if (auto taken = memory_.take_in({core_file_name}); !taken)
    result_.notes.push_back("the index does not know MEMORY.md yet: " + taken.error().message);
}

Status ConsolidationRun::finish() {
  if (auto cleared = clear_failures(vault_, settled_); !cleared) return cleared;
  if (was_asked_ && !options_.stop.stop_requested()) {  // a shutdown is not the model's failure
    use_ = is_away_ || !has_answered_ ? after_failed_run(use_, failure_.value_or(Error{}), retry_at_, memory_.now())
                                      : after_good_run(use_);
    if (auto written = write_model_use(vault_.files(), vault_.state_folder(), use_); !written) return written;
  }
  record_.ended = memory_.now();
  if (was_interrupted_) record_.outcome = run_interrupted;
  if (record_.outcome.empty()) record_.outcome = failure_ ? "failed" : "done";
  if (record_.reason.empty() && failure_) record_.reason = failure_->message;
  // Only an answer that cannot be used is no better the second time; a server may be back.
  if (!has_unusable_) record_.pending_set.clear();
  if (auto written = write_run(vault_, record_); !written) return written;
  result_.run = record_;
  result_.failure = failure_;
  return remove_old_runs(vault_);
}

void ConsolidationRun::report(size_t done, size_t total) const {
  if (options_.progress) options_.progress({"consolidating", done, total});
}

Status ConsolidationRun::preview() {
  auto material = read_material(memory_);
  if (!material) return std::unexpected(material.error());
  material_ = std::move(*material);
  if (options_.rebuild) {
    auto anew = read_rebuild_material(memory_);
    if (!anew) return std::unexpected(anew.error());
    material_ = std::move(anew->material);
  }
  choose_facts();
  if (!private_facts_.empty()) preview(without_model(private_facts_), Decider::rules);
  if (facts_.empty()) return {};
  if (!fits_one_call()) preview_keys();
  for (const Cluster& cluster : make_clusters(material_, facts_, limits_of(vault_))) preview(cluster, Decider::model);
  return preview_promotion();
}

void ConsolidationRun::preview(const Cluster& cluster, Decider decider) {
  ClusterPreview preview;
  preview.facts = ids_of(material_.facts, cluster.facts);
  preview.writable = ids_of(material_.entries, cluster.writable);
  preview.shown = ids_of(material_.entries, cluster.shown);
  if (decider == Decider::model) {
    const ModelRequest request = decide_request(material_, cluster);
    preview.prompt = request.instructions + "\n\n" + request.input;
    preview.tokens = model_->tokens_to_send(request);
    count_call(preview.tokens);
  }
  result_.previews.push_back(std::move(preview));
}

void ConsolidationRun::preview_keys() {
  std::vector<size_t> bare;
  for (const size_t index : facts_)
    if (material_.facts[index].about.empty()) bare.push_back(index);
  for (size_t begin = 0; begin < bare.size(); begin += facts_a_keys_call) {
    const size_t end = std::min(begin + facts_a_keys_call, bare.size());
    count_call(model_->tokens_to_send(keys_request(
        material_, {bare.begin() + static_cast<std::ptrdiff_t>(begin), bare.begin() + static_cast<std::ptrdiff_t>(end)})));
  }
}

// As if every fact became an entry.
Status ConsolidationRun::preview_promotion() {
  const auto recalls = read_recall_counts(vault_);
  if (!recalls) return std::unexpected(recalls.error());
  const auto logs = read_logs(vault_);
  if (!logs) return std::unexpected(logs.error());
  std::vector<DurableEntry> entries = material_.entries;
  for (const size_t index : facts_) entries.push_back(as_entry(material_.facts[index]));
  const auto most = static_cast<size_t>(std::max<std::int64_t>(vault_.config().consolidation.memory_max_lines, 0));
  count_call(model_->tokens_to_send(promotion_request({entries, *recalls, demoted(*logs), most})));
  return {};
}

void ConsolidationRun::count_call(std::int64_t tokens) {
  ++result_.calls;
  result_.tokens += tokens;
}

}  // namespace loci
