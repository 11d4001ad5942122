#include "consolidate/shapes.h"

#include "consolidate/runs/store.h"
#include "memory/json_shapes.h"
#include "memory/vault_logs.h"
#include "model/model_use.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

Json preview_to_json(const ClusterPreview& preview, bool prompts) {
  Json value = Json::object();
  value.add_unchecked("facts", preview.facts);
  value.add_unchecked("writable", preview.writable);
  value.add_unchecked("shown", preview.shown);
  value.add_unchecked("tokens", preview.tokens);
  if (prompts) value.add_unchecked("prompt", preview.prompt.empty() ? Json() : Json(preview.prompt));
  return value;
}

Json::Object asking_to_json(const AskingEstimate& asking) {
  return {{"calls", asking.calls}, {"tokens", asking.tokens}, {"tokens_written", asking.tokens_written}};
}

}  // namespace

Json consolidated_to_json(const Consolidated& consolidated, bool prompts) {
  Json clusters = Json::array();
  for (const ClusterPreview& preview : consolidated.previews) clusters.push_back(preview_to_json(preview, prompts));
  Json value = versioned();
  value.add_unchecked("gate", gates_to_json(consolidated.gates));
  value.add_unchecked("ran", consolidated.ran);
  value.add_unchecked("run", consolidated.run ? run_to_json(*consolidated.run, false) : Json());
  value.add_unchecked("promoted", std::uint64_t{consolidated.promoted});
  for (const auto& [key, estimate] : asking_to_json(consolidated.asking)) value.add_unchecked(key, estimate);
  value.add_unchecked("mending", asking_to_json(consolidated.mending));
  value.add_unchecked("cost", consolidated.cost ? Json(*consolidated.cost) : Json());
  value.add_unchecked("clusters", std::move(clusters));
  value.add_unchecked("failure", consolidated.failure ? Json(consolidated.failure->message) : Json());
  value.add_unchecked("notes", consolidated.notes);
  return value;
}

Json undone_to_json(const Undone& undone) {
  Json value = versioned();
  value.add_unchecked("run", undone.run);
  value.add_unchecked("files", undone.files);
  value.add_unchecked("entries", undone.entries);
  value.add_unchecked("kept", undone.kept);
  value.add_unchecked("pending", std::uint64_t{undone.pending});
  value.add_unchecked("notes", undone.notes);
  return value;
}

Result<Json> consolidation_status(Memory& memory) {
  const auto facts = TRY(gate_facts(memory));
  const auto runs = TRY(list_runs(memory.vault()));
  Json last;
  if (!runs.empty()) {
    last.set("run", runs.front().run);
    last.set("at", format_rfc3339(runs.front().at));
    last.set("outcome", runs.front().outcome.empty() ? Json() : Json(runs.front().outcome));
    last.set("reason", runs.front().reason.empty() ? Json() : Json(runs.front().reason));
  }
  Json tokens = Json::object();
  tokens.add_unchecked("today", facts.tokens_today);
  const Vault& vault = memory.vault();
  const TokenUse spent = tokens_of_day(vault.files(), vault.state_folder(), vault.clock().local_date(vault.clock().now()));
  const auto cost = price_of(vault.config(), vault.config().consolidation.model, spent.input, spent.output);
  tokens.add_unchecked("cost", cost ? Json(*cost) : Json());
  tokens.add_unchecked("limit", facts.tokens_a_day > 0 ? Json(facts.tokens_a_day) : Json());
  Json value = Json::object();
  value.add_unchecked("gate", gates_to_json(check_gates(facts, gate_limits(memory.vault()), false)));
  value.add_unchecked("last_run", std::move(last));
  value.add_unchecked("pending", facts.pending);
  value.add_unchecked("quarantined", facts.quarantined);
  value.add_unchecked("as_said", TRY(count_as_said(vault)));
  const std::string unsuitable = facts.uses_model ? unsuitable_model(runs) : std::string();
  value.add_unchecked("unsuitable_model", unsuitable.empty() ? Json() : Json(unsuitable));
  value.add_unchecked("tokens", std::move(tokens));
  return value;
}

std::map<std::string, size_t> outcomes_of(const RunRecord& run) { return counts_of(run).outcomes; }

}  // namespace loci
