#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>

#include "consolidate/runs/carry_out.h"
#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/rebuild_losses.h"
#include "consolidate/runs/still_stands.h"
#include "consolidate/runs/store.h"
#include "edits/acts.h"
#include "edits/in_question.h"
#include "indexer/stored_entry.h"

namespace loci {
namespace {

constexpr size_t all_of_them = size_t{1} << 30;

// What a person forgot by name stays where it is for `restore`.
bool goes(const Entry& entry, const VaultLogs& logs) {
  const Tombstone* state = state_of(logs, entry.id);
  return !entry.from.empty() && !(state && removes(*state));
}

Status may_be_rebuilt(const std::vector<Entry>& entries, const std::set<std::string>& untouchable, const VaultLogs& logs) {
  for (const Entry& entry : entries) {
    if (!goes(entry, logs)) continue;
    const std::string& file = entry.places.front().file;
    Error error{ErrorCode::refused, {}, {}, file, entry.places.front().line};
    if (untouchable.contains(file)) {
      error.message = file + " waits for a decision, or for a person to take out bytes that are not UTF-8";
      error.hint = "'loci resolve' and 'loci status' show it";
      return std::unexpected(std::move(error));
    }
    if (entry.active && entry.edited) {
      error.message = "'" + entry.id + "' in " + file + " was edited meanwhile";
      error.hint = "start again: the edit is filed first";
      return std::unexpected(std::move(error));
    }
  }
  return {};
}

// A side that a person has not chosen makes no entry, and to leave it out would end the one that rests on it.
Status check_no_conflict_in_archive(Memory& memory) {
  const auto files = TRY(archive_files_in_conflict(memory));
  if (files.empty()) return {};
  auto refused =
      fail(ErrorCode::refused, "git's conflict markers stand in " + *files.begin(), "'loci resolve' puts both sides together");
  refused.error().file = *files.begin();
  return refused;
}

Result<std::vector<Entry>> active_facts(Memory& memory) {
  EntryFilter filter;
  filter.kinds = {EntryKind::fact};
  auto facts = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); });
  if (facts) std::erase_if(*facts, [](const Entry& entry) { return entry.place != Place::archive; });
  return facts;
}

// The last lines of the facts that rest on a text without a comment, which stands: nobody folds what a person says in their own
// words.
Result<std::vector<LedgerEntry>> held_by_texts(Memory& memory, const Chronicle& chronicle) {
  std::vector<LedgerEntry> held;
  std::map<std::string, bool> stands;
  std::set<std::string_view> seen;
  for (const LedgerEntry& line : chronicle.logs().ledger) {
    if (!is_merge(line) || !is_hash_id(line.into) || !seen.insert(line.fact).second) continue;
    const LedgerEntry* latest = chronicle.latest_line(line.fact);
    if (!latest || !is_merge(*latest) || !is_hash_id(latest->into)) continue;
    const auto [known, is_new] = stands.try_emplace(latest->into, false);
    if (is_new) {
      const auto text = TRY(entry_with_id(memory, latest->into));
      known->second = text && text->active;
    }
    if (known->second) held.push_back(*latest);
  }
  return held;
}

// By the ledger: which facts went into an entry, in that order, once for each generation.
class Settlements {
 public:
  explicit Settlements(const VaultLogs& logs) : logs_(logs) {
    for (const LedgerEntry& line : logs.ledger) {
      last_of_generation_[{line.generation, line.fact}] = &line;
      if (line.outcome == LedgerEntry::Outcome::merged && is_act(line.run)) merges_.push_back(&line);
      if (line.outcome == LedgerEntry::Outcome::undone || line.outcome == LedgerEntry::Outcome::quarantined) continue;
      by_fact_[line.fact].push_back(&line);
      for (const std::string& entry : {line.entry, line.into})
        if (!entry.empty()) by_entry_[entry].push_back(&line);
    }
  }

  // The facts that an entry rested on when this one overruled what it said.
  std::set<std::string> before(const FactVersion& fact) const {
    std::set<std::string> facts;
    const auto lines = by_entry_.find(fact.corrects);
    if (lines == by_entry_.end()) return facts;
    std::map<std::int64_t, const LedgerEntry*> own;  // its first line of each generation
    for (const LedgerEntry* line : lines->second)
      if (line->fact == fact.id) own.emplace(line->generation, line);
    if (own.empty() && stands_against(fact)) return facts;
    const auto is_before = [&](const LedgerEntry* line) {
      const auto own_line = own.find(line->generation);
      return own_line == own.end() ? fact.at && line->at <= *fact.at : std::less<>{}(line, own_line->second);
    };
    for (const LedgerEntry* line : lines->second)
      if (line->fact != fact.id && is_before(line) && last_until(line, is_before) == line) facts.insert(line->fact);
    return facts;
  }

  // The facts of an entry that a person made one text of with another one, and the fact that says that text: it stands for them
  // all. By time.
  std::vector<std::pair<const LedgerEntry*, std::string>> put_together_by_a_person() const {
    std::vector<std::pair<const LedgerEntry*, std::string>> merged;
    for (const LedgerEntry* line : merges_) {
      if (last_of_generation_.at({line->generation, line->fact}) != line) continue;  // taken back
      const auto said = fact_that_says(line->into);
      if (!said.empty() && said != line->fact) merged.emplace_back(line, said);
    }
    return merged;
  }

 private:
  // A line of the core says less than its entry, or something else by now: a correction of it is none of all that the entry says,
  // which stands, until a run merges the two.
  bool stands_against(const FactVersion& fact) const {
    const Tombstone* end = state_of(logs_, fact.corrects);
    return fact.source == Source::correction && !(end && removes(*end));
  }

  // The fact whose very words are the entry's text, as far as the ledger knows; of several the last.
  std::string fact_that_says(const std::string& entry) const {
    const auto lines = by_entry_.find(entry);
    if (lines == by_entry_.end()) return {};
    std::string text_hash;
    for (const LedgerEntry* line : lines->second)
      if (line->entry == entry && !line->entry_hash.empty()) text_hash = line->entry_hash;
    if (text_hash.empty()) return {};
    for (const LedgerEntry* line : lines->second | std::views::reverse)
      if (line->entry == entry && line->fact_hash == text_hash) return line->fact;
    return {};
  }

  // Of the same fact and generation: it may have gone elsewhere since.
  const LedgerEntry* last_until(const LedgerEntry* line, const auto& is_before) const {
    const LedgerEntry* last = line;
    for (const LedgerEntry* one : by_fact_.at(line->fact))
      if (one->generation == line->generation && is_before(one)) last = one;
    return last;
  }

  const VaultLogs& logs_;
  std::unordered_map<std::string, std::vector<const LedgerEntry*>> by_entry_, by_fact_;
  std::vector<const LedgerEntry*> merges_;                                                 // by a person
  std::map<std::pair<std::int64_t, std::string>, const LedgerEntry*> last_of_generation_;  // of a fact
};

// Itself if nothing overrules it.
std::string last_corrector_of(std::string fact, const std::map<std::string, std::string>& by) {
  for (auto next = by.find(fact); next != by.end(); next = by.find(fact)) fact = next->second;
  return fact;
}

// fact -> the one that overrules it, and is not overruled itself.
std::map<std::string, std::string> overruled_facts(const std::vector<Fact>& facts, const VaultLogs& logs) {
  const Settlements settlements(logs);
  std::map<std::string, std::string> by;
  for (const Fact& fact : facts) {  // by time: the later one overrules the earlier one and what that did
    if (fact.corrects.empty()) continue;
    // A correction of what overruled something overrules that as well.
    std::vector<FactVersion> versions{{fact.id, fact.corrects, fact.at, fact.source}};
    versions.insert(versions.end(), fact.earlier.begin(), fact.earlier.end());
    for (const FactVersion& version : versions)
      for (const std::string& old : settlements.before(version)) by[old] = fact.id;
    by.erase(fact.id);
  }
  const auto is_here = [&](const std::string& id, const std::string& hash) {
    const auto found = std::ranges::find(facts, id, &Fact::id);
    return found != facts.end() && (hash.empty() || found->hash == hash);
  };
  for (const auto& [line, said] : settlements.put_together_by_a_person())
    if (is_here(line->fact, line->fact_hash) && is_here(said, {}) && last_corrector_of(said, by) != line->fact)
      by.emplace(line->fact, said);
  for (auto& [old, corrector] : by) corrector = last_corrector_of(corrector, by);
  return by;
}

LedgerEntry overruled_line(const Fact& fact, const Fact& by, const PlannedEntry* entry, const std::string& hash,
                           const RunIdentity& identity) {
  LedgerEntry line{
      identity.generation,    identity.run, identity.at, fact.id, fact.hash, LedgerEntry::Outcome::replaced, {}, {}, {},
      "overruled by " + by.id};
  if (entry) line.entry = entry->id;
  if (entry) line.entry_hash = hash;
  return line;
}

void rest_on(PlannedEntry& entry, const Fact& fact, const std::vector<std::string>& ended) {
  Metadata& metadata = entry.metadata;
  const bool would_end_it = std::ranges::binary_search(ended, fact.id);
  if (!would_end_it && std::ranges::find(metadata.from, fact.id) == metadata.from.end()) metadata.from.push_back(fact.id);
  if (fact.day.empty()) return;
  if (metadata.first_seen.empty() || fact.day < metadata.first_seen) metadata.first_seen = fact.day;
  if (std::ranges::find(metadata.sources, fact.day) == metadata.sources.end())
    metadata.sources.insert(std::ranges::upper_bound(metadata.sources, fact.day), fact.day);
}

}  // namespace

Result<RebuildMaterial> read_rebuild_material(Memory& memory) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const VaultLogs& logs = chronicle.logs();
  auto standing = TRY(consolidated_entries(memory));
  const auto untouchable = TRY(files_to_leave_alone(memory));
  TRY(may_be_rebuilt(standing, untouchable, logs));
  TRY(check_no_conflict_in_archive(memory));
  TRY(check_archive(memory, facts_resting_in(standing, logs)));
  auto facts = TRY(active_facts(memory));
  const auto held = TRY(held_by_texts(memory, chronicle));
  std::erase_if(facts, [&](const Entry& fact) { return std::ranges::find(held, fact.id, &LedgerEntry::fact) != held.end(); });
  auto material = TRY(read_material_of_rebuild(memory, std::move(facts), std::move(standing), chronicle));

  RebuildMaterial rebuild;
  for (const LedgerEntry& line : logs.ledger) rebuild.next_generation = std::max(rebuild.next_generation, line.generation + 1);
  rebuild.overruled = take_overruled(material, logs);
  rebuild.material = std::move(material);
  return rebuild;
}

Overruled take_overruled(Material& material, const VaultLogs& logs) {
  const auto by = overruled_facts(material.facts, logs);
  std::map<std::string, std::vector<Fact>> taken;
  std::erase_if(material.facts, [&](Fact& fact) {
    const auto corrector = by.find(fact.id);
    if (corrector != by.end()) taken[corrector->second].push_back(std::move(fact));
    return corrector != by.end();
  });
  Overruled overruled;
  for (size_t i = 0; i < material.facts.size(); ++i)
    if (const auto found = taken.find(material.facts[i].id); found != taken.end())
      overruled.emplace_back(i, std::move(found->second));
  return overruled;
}

void settle_overruled(Plan& plan, const Material& material, const Overruled& overruled, const RunIdentity& identity) {
  for (const auto& [index, facts] : overruled) {
    const Fact& by = material.facts[index];
    const auto line = std::ranges::find(plan.ledger, by.id, &LedgerEntry::fact);
    const std::string home = line == plan.ledger.end() ? std::string() : line->entry;
    const std::string hash = line == plan.ledger.end() ? std::string() : line->entry_hash;
    const auto entry = std::ranges::find(plan.changes, home, &PlannedEntry::id);
    PlannedEntry* const planned = home.empty() || entry == plan.changes.end() ? nullptr : &*entry;
    for (const Fact& fact : facts) {
      if (planned) rest_on(*planned, fact, material.ended);
      plan.ledger.push_back(overruled_line(fact, by, planned, hash, identity));
    }
  }
}

Status apply_rebuild(Memory& memory, const Plan& plan, RunRecord& record) {
  TRY(check_still_stands(memory, plan));
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const VaultLogs& logs = chronicle.logs();
  const auto standing = TRY(consolidated_entries(memory));
  const auto untouchable = TRY(files_to_leave_alone(memory));
  TRY(may_be_rebuilt(standing, untouchable, logs));
  TRY(check_rebuild_losses(plan, facts_resting_in(standing, logs)));

  std::unordered_map<std::string, const Entry*> going;
  for (const Entry& entry : standing)
    if (goes(entry, logs)) going.emplace(entry.id, &entry);
  Plan complete = plan;
  for (PlannedEntry& change : complete.changes) {  // what comes back under its id stays at its place
    const auto old = going.find(change.id);
    if (!change.before_hash.empty() || old == going.end()) continue;
    change.before_hash = old->second->hash;
    change.file = old->second->places.front().file;
    going.erase(old);
  }
  for (const Entry& entry : standing) {
    if (!going.contains(entry.id)) continue;
    PlannedEntry& gone = complete.changes.emplace_back();
    gone.id = entry.id;
    gone.before_hash = entry.hash;
    gone.file = entry.places.front().file;
    gone.removed = true;
  }
  for (LedgerEntry& line : TRY(held_by_texts(memory, chronicle))) {
    const bool is_decided = std::ranges::find(complete.ledger, line.fact, &LedgerEntry::fact) != complete.ledger.end();
    line.generation = record.generation;
    line.at = record.at;
    if (!is_decided) complete.ledger.push_back(std::move(line));
  }
  auto changes = TRY(changes_of_files(memory, complete.changes, Placement::from_the_first));
  return carry_out(memory, std::move(changes), complete.tombstones, complete.ledger, record);
}

}  // namespace loci
