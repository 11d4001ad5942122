#include "consolidate/runs/store.h"

#include <algorithm>

#include "base/id.h"
#include "base/lock_holder.h"
#include "consolidate/runs/carry_out.h"
#include "consolidate/runs/still_stands.h"
#include "memory/add.h"
#include "memory/vault_logs.h"
#include "parser/text_hash.h"
#include "vault/archive/append.h"
#include "vault/layout/host.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;

path lock_folder(const Vault& vault) { return vault.dot_loci() / "ledger"; }

std::string name_of_holder(const Vault& vault) {
  const auto holder = holder_of_lock(vault.files(), lock_folder(vault));
  if (!holder) return "another process";
  return (holder->program.empty() ? "process" : holder->program) + " (" + std::to_string(holder->pid) + ")";
}

// --- what the plan left to be looked up ---

// The text with which the fact went into the entry that is merged now. A later edit of it is pending, and stays so.
const LedgerEntry* line_into(const VaultLogs& logs, const LedgerEntry& merged) {
  const auto settled_there = [&](const LedgerEntry& line) {
    return line.generation == merged.generation && line.fact == merged.fact && line.outcome != Outcome::undone &&
           line.outcome != Outcome::quarantined && (line.entry == merged.entry || line.into == merged.entry);
  };
  const auto found = std::ranges::find_if(logs.ledger.rbegin(), logs.ledger.rend(), settled_there);
  return found == logs.ledger.rend() ? nullptr : &*found;
}

Status look_up_merged_facts(Memory& memory, const VaultLogs& logs, Plan& plan) {
  for (LedgerEntry& line : plan.ledger) {
    if (!line.fact_hash.empty()) continue;
    if (const LedgerEntry* settled = line_into(logs, line)) {
      line.fact_hash = settled->fact_hash;
      continue;
    }
    const auto fact = TRY(entry_with_id(memory, line.fact));
    const auto gone = std::ranges::find(plan.changes, line.entry, &PlannedEntry::id);
    line.fact_hash = fact ? fact->hash : gone->before_hash;  // one that stands nowhere: the line still says where its entry went
  }
  return {};
}

Status look_up_overruled_facts(Memory& memory, const VaultLogs& logs, Plan& plan) {
  if (plan.tombstones.empty()) return {};
  const Instant at = std::max(next_tombstone_time(memory.vault(), logs), plan.tombstones.front().at);
  for (Tombstone& tombstone : plan.tombstones) {
    tombstone.at = at;
    if (!tombstone.text_hash.empty()) continue;
    const auto fact = TRY(entry_with_id(memory, tombstone.id));
    if (fact) tombstone.text_hash = fact->hash;
    // The hash of a text that is still true would suppress it wherever it stands.
    if (std::ranges::find(plan.ledger, tombstone.text_hash, &LedgerEntry::fact_hash) != plan.ledger.end())
      tombstone.text_hash.clear();
  }
  return {};
}

Status look_up_facts(Memory& memory, Plan& plan) {
  const bool knows_all = plan.tombstones.empty() && std::ranges::none_of(plan.ledger, &std::string::empty, &LedgerEntry::fact_hash);
  if (knows_all) return {};
  const auto logs = TRY(read_logs(memory.vault()));
  TRY(look_up_merged_facts(memory, logs, plan));
  return look_up_overruled_facts(memory, logs, plan);
}

// --- entries that rest on no fact ---

bool loses_its_text(const PlannedEntry& change, const Plan& plan) {
  if (change.before_hash.empty()) return false;
  const std::string own = id_from_hash(change.before_hash);
  const bool is_wrong = std::ranges::find(plan.tombstones, own, &Tombstone::id) != plan.tombstones.end();
  return !is_wrong && (change.removed || stored_text_hash(change.text) != change.before_hash);
}

NewEntry as_fact(const Entry& entry) {
  NewEntry fact;
  fact.metadata.source = entry.source;
  fact.metadata.kind = EntryKind::fact;
  fact.metadata.project = entry.project;
  fact.metadata.tags = entry.tags;
  fact.metadata.about = entry.about;
  fact.text = entry.text;
  return fact;
}

void rest_on(Plan& plan, PlannedEntry& change, const Appended& fact, const RunRecord& record) {
  LedgerEntry line;
  line.generation = record.generation;
  line.run = record.run;
  line.at = record.at;
  line.fact = fact.id;
  line.fact_hash = fact.hash;
  PlannedEntry& home = change.removed ? *std::ranges::find(plan.changes, change.into, &PlannedEntry::id) : change;
  line.outcome = change.removed ? Outcome::merged : Outcome::replaced;
  line.entry = change.id;
  line.entry_hash = change.removed ? std::string() : stored_text_hash(home.text);
  line.into = change.into;
  Metadata& metadata = home.metadata;
  metadata.from.insert(metadata.from.begin(), fact.id);
  const std::string day = utc_date(fact.at);
  if (std::ranges::find(metadata.sources, day) == metadata.sources.end())
    metadata.sources.insert(std::ranges::lower_bound(metadata.sources, day), day);
  plan.ledger.push_back(std::move(line));
}

// A rebuild makes everything anew from the archive: what was never said there would be gone.
Status give_ground(Memory& memory, Plan& plan, const RunRecord& record) {
  std::vector<size_t> changes;
  std::vector<NewEntry> texts;
  for (size_t i = 0; i < plan.changes.size(); ++i) {
    if (!loses_its_text(plan.changes[i], plan)) continue;
    const auto entry = TRY(entry_with_id(memory, plan.changes[i].id));
    if (!entry || !entry->from.empty() || entry->hash != plan.changes[i].before_hash) continue;
    changes.push_back(i);
    texts.push_back(as_fact(*entry));
  }
  if (texts.empty()) return {};
  // Whatever stands in the way of the plan does so before anything is appended.
  if (auto possible = changes_of_files(memory, plan.changes, Placement::at_the_end); !possible)
    return std::unexpected(possible.error());
  const auto facts = TRY(append_entries(memory.vault(), std::move(texts)));
  for (size_t i = 0; i < changes.size(); ++i) rest_on(plan, plan.changes[changes[i]], facts[i], record);
  std::vector<std::string> files;
  for (const Appended& fact : facts) files.push_back(fact.file);
  make_searchable(memory, files);
  return {};
}

}  // namespace

Result<ProcessLock> take_consolidation_lock(const Vault& vault) {
  TRY(join_vault(vault));
  TRY(make_own_folder(vault.files(), lock_folder(vault)));
  auto lock = ProcessLock::acquire(vault.files(), lock_folder(vault), std::chrono::milliseconds(0));
  if (!lock && lock.error().code == ErrorCode::locked)
    return fail(ErrorCode::locked, name_of_holder(vault) + " is consolidating " + vault.root().string(), "wait until it is done");
  return lock;
}

std::optional<std::string> consolidation_lock_holder(const Vault& vault) {
  const auto lock = ProcessLock::acquire(vault.files(), lock_folder(vault), std::chrono::milliseconds(0));
  if (lock || lock.error().code != ErrorCode::locked) return std::nullopt;
  return name_of_holder(vault);
}

Result<RunIdentity> new_run(const Vault& vault) {
  const auto logs = TRY(read_logs(vault));
  RunIdentity identity{make_id(vault.clock().now()), 1, vault.clock().now()};
  for (const LedgerEntry& line : logs.ledger) identity.generation = std::max(identity.generation, line.generation);
  if (!logs.ledger.empty()) identity.at = std::max(identity.at, logs.ledger.back().at + std::chrono::milliseconds(1));
  return identity;
}

Status apply_plan(Memory& memory, const Plan& plan, RunRecord& record) {
  if (plan.empty()) return {};
  TRY(check_still_stands(memory, plan));
  Plan complete = plan;
  TRY(look_up_facts(memory, complete));
  TRY(give_ground(memory, complete, record));
  auto changes = TRY(changes_of_files(memory, complete.changes, Placement::at_the_end));
  return carry_out(memory, std::move(changes), complete.tombstones, complete.ledger, record);
}

}  // namespace loci
