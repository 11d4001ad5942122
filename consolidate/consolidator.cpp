#include "consolidate/consolidator.h"

#include <unistd.h>

#include <algorithm>

#include "base/id.h"
#include "consolidate/agenda.h"
#include "consolidate/consolidating_host.h"
#include "consolidate/consolidation_run.h"
#include "consolidate/kept_answers.h"
#include "consolidate/rebuild_mark.h"
#include "consolidate/run_preview.h"
#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/store.h"
#include "edits/in_question.h"
#include "edits/understand.h"
#include "memory/promoted_lines.h"
#include "memory/unfinished_changes.h"
#include "memory/vault_logs.h"
#include "model/model_use.h"
#include "vault/git/git_operation.h"
#include "vault/layout/token_budget.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

void look_at_runs(const std::vector<RunRecord>& runs, GateFacts& facts) {
  const auto is_ours = [](const RunRecord& run) { return run.kind == "consolidate" || run.kind == "rebuild"; };
  const auto latest = std::ranges::find_if(runs, is_ours);
  if (latest == runs.end()) return;
  facts.is_unfinished = !latest->ended || latest->outcome == run_interrupted;
  for (auto run = latest; run != runs.end(); ++run) {
    if (!is_ours(*run) || !run->ended || run->outcome == run_cancelled) continue;
    if (!facts.last_run) facts.last_run = run->at;
    if (run->outcome != run_failed && run->outcome != run_stopped) return;
    ++facts.failed_runs;
  }
}

// The records of the runs are this machine's alone and may be lost; the ledger still says when a run settled facts last. Only a run
// has an id there that make_id() made: what imports, corrections and answers settle goes under another name.
Status look_at_ledger(const Vault& vault, GateFacts& facts) {
  const auto logs = TRY(read_logs(vault));
  for (const LedgerEntry& line : logs.ledger) {
    if (!is_made_id(line.run) || line.outcome == LedgerEntry::Outcome::undone) continue;
    if (!facts.last_run || line.at > *facts.last_run) facts.last_run = line.at;
  }
  return {};
}

void look_at_model(const Vault& vault, GateFacts& facts) {
  facts.uses_model = vault.config().consolidation.model != builtin_model;
  const std::string today = vault.clock().local_date(facts.now);
  facts.tokens_today = tokens_spent(vault.files(), vault.state_folder(), today);
  if (!facts.uses_model) return;
  facts.tokens_a_day = tokens_a_day(vault.config());
  const ModelUse use = read_model_use(vault.files(), vault.state_folder(), today);
  facts.put_off_until = use.resting_until(facts.now);
  if (facts.put_off_until) facts.put_off_reason = "the model is left alone until " + format_rfc3339(*facts.put_off_until);
  if (facts.put_off_until && !use.last_error.empty()) facts.put_off_reason += ": " + use.last_error;
}

// A run that finds this out when it is about to write has paid a model for nothing.
std::string unwritable_folder(const Vault& vault) {
  for (const char* folder : {"consolidated", "archive", ".loci/ledger"}) {
    path there = vault.root() / folder;
    std::error_code ignored;
    while (there != vault.root() && !std::filesystem::exists(there, ignored)) there = there.parent_path();  // where it will be made
    if (::access(there.c_str(), W_OK | X_OK) != 0) return there.string();
  }
  return {};
}

bool is_open_without_leftovers(GateFacts facts, const GateLimits& limits, const ConsolidateOptions& options) {
  facts.is_unfinished = options.force;  // a person wants it done whole
  return check_gates(facts, limits, options.force || options.rebuild).open();
}

// What was cut short, or came from another machine, may have left lines in the core behind their entries; a run does this, too.
void follow_entries(Memory& memory, std::vector<std::string>& notes) {
  if (const auto followed = follow_entries_in_core(memory); !followed)
    notes.push_back(std::string(core_file_name) + " may still show what was: " + followed.error().message);
}

}  // namespace

GateLimits gate_limits(const Vault& vault) {
  const auto& settings = vault.config().consolidation;
  return {.min_hours = settings.min_hours, .min_facts = settings.min_facts, .max_days = settings.max_days};
}

Result<GateFacts> gate_facts(Memory& memory) {
  const Vault& vault = memory.vault();
  const auto reader = TRY(memory.reader());
  GateFacts facts;
  facts.now = memory.now();
  facts.enabled = vault.config().consolidation.enabled;
  facts.is_consolidating_host = consolidates_here(vault, facts.consolidating_host);
  facts.can_replace = can_exchange(vault);
  facts.unwritable = unwritable_folder(vault);
  facts.rebuild_begun = rebuild_begun(vault);
  if (const auto git = git_operation_around(vault.root())) facts.git_operation = git->marker;
  facts.other_branch = TRY(why_nothing_is_decided(vault));
  const auto counts = reader->pending_counts();
  const auto asked = TRY(pending_in_question(memory));
  facts.pending = counts.pending - asked;
  facts.in_question = asked;
  for (const Question& question : TRY(waiting_questions(vault)))
    facts.questions += (facts.questions.empty() ? "" : ", ") + question.file;
  for (const std::string& file : TRY(archive_files_in_conflict(memory)))
    facts.questions += (facts.questions.empty() ? "" : ", ") + file;
  facts.quarantined = counts.quarantined;
  facts.oldest_pending = counts.oldest;
  const auto runs = TRY(list_runs(vault));
  look_at_runs(runs, facts);
  if (facts.pending == 0 && !facts.is_unfinished) {
    const auto to_take_apart = TRY(has_entries_to_take_apart(memory));
    facts.is_unfinished = to_take_apart;
  }
  if (!facts.last_run && runs.empty()) TRY(look_at_ledger(vault, facts));
  look_at_model(vault, facts);
  facts.lock_holder = consolidation_lock_holder(vault);
  return facts;
}

Result<bool> abandon_rebuild(const Vault& vault) {
  const auto lock = TRY(take_consolidation_lock(vault));
  if (!rebuild_begun(vault)) return false;
  KeptAnswers(vault).drop_all();
  TRY(end_rebuild(vault));
  return true;
}

Result<Consolidated> consolidate(Memory& memory, const OpenLanguageModel& open_language_model, const ConsolidateOptions& options) {
  if (!options.dry_run) (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
  if (options.dry_run) {
    TRY(memory.bring_up_to_date());
  } else {
    TRY(memory.catch_up());  // which of two places is an entry's and which a copy of it the index tells
    TRY(understand_first(memory));
    TRY(prune_versions_but_asked(memory.vault()));
    TRY(memory.bring_up_to_date());
  }
  auto facts = TRY(gate_facts(memory));
  if (options.rebuild) facts.rebuild_begun.reset();
  if (options.rebuild && facts.pending + facts.quarantined == 0) facts.pending = 1;  // everything is to be settled anew
  const auto scope = facts.is_unfinished && !is_open_without_leftovers(facts, gate_limits(memory.vault()), options)
                         ? ConsolidationRun::Scope::leftovers
                         : ConsolidationRun::Scope::everything;
  Consolidated result;
  result.gates = check_gates(facts, gate_limits(memory.vault()), options.force || options.rebuild);
  if (!result.gates.open() && !options.dry_run) {
    follow_entries(memory, result.notes);
    return result;
  }
  std::optional<ProcessLock> lock;
  if (!options.dry_run) {
    auto taken = take_consolidation_lock(memory.vault());
    if (!taken && taken.error().code != ErrorCode::locked) return std::unexpected(taken.error());
    if (!taken) {
      result.gates.closed.push_back({"lock", taken.error().message, {}});
      return result;
    }
    lock = std::move(*taken);
  }
  std::unique_ptr<LanguageModel> model;
  if (facts.uses_model) {
    auto opened = TRY(open_language_model());
    model = std::move(opened);
  }
  TRY(options.dry_run ? preview_run(memory, model.get(), options, result)
                      : ConsolidationRun(memory, model.get(), options, scope, result).go());
  return result;
}

}  // namespace loci
