#include "consolidate/runs/still_stands.h"

#include <algorithm>
#include <map>
#include <set>

#include "consolidate/runs/material_parts.h"
#include "memory/vault_logs.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

std::unexpected<Error> changed_meanwhile(const std::string& id) {
  return fail(ErrorCode::refused, "'" + id + "' was forgotten or changed meanwhile; decided again in the next run");
}

// id -> hash of the text that was read. What a merge carries along was settled before, and may have been edited since.
std::map<std::string, std::string> facts_of(const Plan& plan) {
  std::map<std::string, std::string> facts;
  for (const PlannedEntry& change : plan.changes)
    for (const FactCited& fact : change.facts) facts.emplace(fact.id, fact.hash);
  for (const LedgerEntry& line : plan.ledger)
    if (!line.fact_hash.empty()) facts.emplace(line.fact, line.fact_hash);
  return facts;
}

Status check_facts(IndexReader& reader, const std::map<std::string, std::string>& facts) {
  for (const auto& [id, hash] : facts) {
    const auto found = TRY(reader.find(id, 1));
    const bool stands = !found.empty() && found.front().id == id && found.front().active && found.front().hash == hash;
    if (!stands) return changed_meanwhile(id);
  }
  return {};
}

// Whether they still have their text is seen when the files are edited.
Status check_entries(IndexReader& reader, const std::vector<PlannedEntry>& changes) {
  for (const PlannedEntry& change : changes) {
    if (change.before_hash.empty()) continue;
    const auto found = TRY(reader.find(change.id, 1));
    if (!found.empty() && found.front().id == change.id && !found.front().active) return changed_meanwhile(change.id);
  }
  return {};
}

void blank(std::string& words) {
  if (!words.empty()) words = purged_placeholder;
}

void blank(EntryRecord& entry) {
  for (std::string* words : {&entry.before, &entry.after, &entry.before_markdown, &entry.after_markdown}) blank(*words);
  for (std::string* hash : {&entry.before_hash, &entry.after_hash}) hash->assign(hash->size(), '0');
  for (FactCited& fact : entry.facts) {
    blank(fact.text);
    fact.hash.assign(fact.hash.size(), '0');
  }
}

}  // namespace

Status look_again(Memory& memory) {
  const auto freshness = TRY(memory.bring_up_to_date());
  if (freshness.fresh()) return {};
  TRY(memory.take_in({}));
  return {};
}

Status check_still_stands(Memory& memory, const Plan& plan) {
  TRY(look_again(memory));
  const auto reader = TRY(memory.reader());
  TRY(check_facts(*reader, facts_of(plan)));
  return check_entries(*reader, plan.changes);
}

Status leave_out_purged(const Vault& vault, RunRecord& record) {
  const auto logs = TRY(read_logs(vault));
  std::set<std::string_view> purged;
  for (const Tombstone& tombstone : logs.tombstones)
    if (is_purged(tombstone)) purged.insert(tombstone.id);
  if (purged.empty()) return {};
  for (ClusterRecord& cluster : record.clusters) {
    for (EntryRecord& entry : cluster.entries)
      if (purged.contains(entry.id) || std::ranges::any_of(entry.facts, [&](const FactCited& f) { return purged.contains(f.id); }))
        blank(entry);
    for (LedgerEntry& line : cluster.ledger)
      if (purged.contains(line.fact)) line.fact_hash.assign(line.fact_hash.size(), '0');
  }
  return {};
}

}  // namespace loci
