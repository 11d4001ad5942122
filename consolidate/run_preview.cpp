#include "consolidate/run_preview.h"

#include <algorithm>
#include <deque>

#include "consolidate/agenda.h"
#include "consolidate/decide/decide_prompt.h"
#include "consolidate/decide/second_reading.h"
#include "consolidate/promote/promotion_material.h"
#include "consolidate/runs/store.h"
#include "edits/in_question.h"
#include "tokens/estimate.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

// Of an answer: a fact's keys, a promoted line, what is wrong with what was decided.
constexpr std::int64_t tokens_of_keys = 18, tokens_of_line = 25, tokens_of_problems = 30;
constexpr size_t lines_usually_chosen = 25;
// One operation in so many is usually sent back; of a few facts none.
constexpr size_t facts_of_one_refusal = 20, few_facts = 10;

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

class Preview {
 public:
  Preview(const Material& material, const LanguageModel* model, std::string today, Consolidated& result)
      : material_(material), model_(model), today_(std::move(today)), result_(result) {}

  void add(const Cluster& cluster, bool is_asked) {
    ClusterPreview preview;
    preview.facts = ids_of(material_.facts, cluster.facts);
    preview.writable = ids_of(material_.entries, cluster.writable);
    preview.shown = ids_of(material_.entries, cluster.shown);
    if (is_asked) {
      const ModelRequest request = decide_request(material_, cluster, today_);
      preview.prompt = request.instructions + "\n\n" + request.input;
      preview.tokens = count(request, tokens_of_decision(cluster));
      note_what_is_read_again(cluster);
      facts_ += cluster.facts.size();
      if (cluster.facts.size() > largest_.facts.size()) largest_ = cluster;
    }
    result_.previews.push_back(std::move(preview));
  }

  // As if each fact got a text of its own that says as much.
  void read_again() {
    std::vector<OperationToRead> operations;
    for (const Decision& decision : decisions_)
      for (const OperationToRead& one : operations_to_read(decision, material_)) operations.push_back(one);
    for (const auto& portion : portions_to_read(operations, material_))
      count(verify_request(portion, material_), tokens_of_problems);
  }

  // As if a few operations were sent back: beside their entries again, and read again.
  void mend() {
    if (facts_ < few_facts) return;
    estimate_ = &result_.mending;
    Cluster rest = largest_;
    rest.facts.resize(std::min(rest.facts.size(), std::max<size_t>(facts_ / facts_of_one_refusal, 1)));
    std::vector<RefusedOperation> refused;
    for (const size_t index : rest.facts) {
      RefusedOperation& one = refused.emplace_back();
      one.operation.facts = {index};
      one.operation.text = material_.facts[index].text;
      one.why = {"leaves out values of the fact"};
    }
    count(mend_request(material_, rest, refused, today_), tokens_of_decision(rest));
    decisions_.clear();
    note_what_is_read_again(rest);
    read_again();
    estimate_ = &result_.asking;
  }

  // `written`: about how much is answered.
  std::int64_t count(const ModelRequest& request, std::int64_t written) {
    const std::int64_t tokens = model_->tokens_to_send(request);
    ++estimate_->calls;
    estimate_->tokens += tokens;
    estimate_->tokens_written += written;
    return tokens;
  }

 private:
  // An operation has nine fields, and says about what its fact does.
  std::int64_t tokens_of_decision(const Cluster& cluster) const {
    constexpr std::int64_t a_frame = 45;
    std::int64_t tokens = 0;
    for (const size_t index : cluster.facts) tokens += a_frame + estimate_tokens(material_.facts[index].text) * 6 / 5;
    return tokens;
  }

  void note_what_is_read_again(const Cluster& cluster) {
    Decision& decision = decisions_.emplace_back();
    for (const size_t index : cluster.facts) {
      Operation& operation = decision.operations.emplace_back();
      operation.facts = {index};
      operation.text = "The " + material_.facts[index].text;
    }
  }

  const Material& material_;
  const LanguageModel* model_;
  const std::string today_;
  std::deque<Decision> decisions_;  // addresses stay
  size_t facts_ = 0;                // that a model decides about
  Cluster largest_;                 // of what shares a call
  Consolidated& result_;
  AskingEstimate* estimate_ = &result_.asking;  // that is counted now
};

Result<Material> material_of(Memory& memory, bool rebuild, bool has_model, bool force) {
  if (!rebuild) {
    auto material = TRY(read_material(memory));
    if (has_model) TRY(offer_again(memory, material, force));
    return material;
  }
  auto anew = TRY(read_rebuild_material(memory));
  return std::move(anew.material);
}

}  // namespace

Status preview_run(Memory& memory, const LanguageModel* model, const ConsolidateOptions& options, Consolidated& result) {
  auto material = TRY(material_of(memory, options.rebuild, model != nullptr, options.force));
  keep_long_texts_out(material);
  const ClusterLimits limits = cluster_limits(memory.vault());
  const auto in_question = TRY(facts_in_question(memory));
  const Agenda agenda = make_agenda(material, model != nullptr, options.force || options.rebuild,
                                    options.rebuild ? std::set<std::string>{} : in_question);
  Preview preview(material, model, memory.vault().clock().local_date(memory.now()), result);
  if (!agenda.by_rule.empty()) preview.add(cluster_of_everything(material, agenda.by_rule), false);
  if (agenda.by_model.empty()) return {};
  const KeptKeys kept = KeptKeys::read(memory.vault());
  kept.give(material.facts);
  for (const auto& portion : portions_without_keys(material, agenda, limits, kept))
    preview.count(keys_request(material, portion), tokens_of_keys * static_cast<std::int64_t>(portion.size()));
  for (const auto& call : calls_to_decide(material, agenda.by_model, limits, *model, tokens_a_day(memory.vault().config())))
    preview.add(together(call), true);
  if (memory.vault().config().consolidation.verify) {
    preview.read_again();
    preview.mend();
  }
  const auto promotion = TRY(read_promotion_material(memory.vault()));
  std::vector<DurableEntry> entries = material.entries;
  for (const size_t index : agenda.by_model) entries.push_back(as_entry(material.facts[index]));
  const auto offered = std::min(entries.size(), lines_usually_chosen);
  preview.count(promotion_request(promotion.with(entries)), tokens_of_line * static_cast<std::int64_t>(offered));
  result.cost = price_of(memory.vault().config(), memory.vault().config().consolidation.model, result.asking.tokens,
                         result.asking.tokens_written);
  return {};
}

}  // namespace loci
