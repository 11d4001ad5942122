#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>

#include "consolidate/runs/carry_out.h"
#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/store.h"
#include "edits/in_question.h"
#include "memory/add.h"
#include "memory/removal.h"
#include "memory/unfinished_changes.h"

namespace loci {
namespace {

using Outcome = LedgerEntry::Outcome;

// --- what the record of a killed run says ---

// One step of a run is done as a whole, its lines with it, or not at all.
bool was_carried_out(const ClusterRecord& cluster, const VaultLogs& logs, const std::string& run) {
  const auto is_told = [&](const LedgerEntry& line) {
    return std::ranges::any_of(logs.ledger | std::views::reverse, [&](const LedgerEntry& known) {
      return known.run == run && known.fact == line.fact && known.outcome == line.outcome && known.entry == line.entry;
    });
  };
  return cluster.ledger.empty() || std::ranges::any_of(cluster.ledger, is_told);
}

// An undo that got as far as the files is done.
Status note_undone(const Vault& vault, const RunRecord& undo) {
  if (undo.undoes.empty() || undo.clusters.empty()) return {};
  auto run = read_run(vault, undo.undoes);
  if (!run) return {};  // its record is gone: nobody can undo it again
  run->undone_by = undo.run;
  run->outcome = "undone";
  return write_run(vault, *run);
}

Status end_killed_run(const Vault& vault, RunRecord& record) {
  const auto logs = TRY(read_logs(vault));
  std::erase_if(record.clusters, [&](const ClusterRecord& cluster) {
    return cluster.outcome == "applied" && !was_carried_out(cluster, logs, record.run);
  });
  record.ended = vault.clock().now();
  record.outcome = "cancelled";  // nothing is wrong with its facts: they may be tried again at once
  record.reason = "it was killed";
  TRY(note_undone(vault, record));
  return write_run(vault, record);
}

// How many lines of the ledger were missing.
Result<size_t> finish_killed_run(Memory& memory) {
  const Vault& vault = memory.vault();
  auto finished = TRY(finish_unfinished_changes(memory));
  auto record = unfinished_run(vault);
  if (record && !finished.still_to_do.empty()) return std::unexpected(std::move(finished.still_to_do.front()));
  if (record) TRY(end_killed_run(vault, *record));
  return finished.ledger_lines;
}

// --- what the files say themselves ---

struct LinesOfFact {
  const LedgerEntry* latest = nullptr;          // of the present generation
  const LedgerEntry* latest_of_text = nullptr;  // likewise, for the fact's present text
};

LinesOfFact lines_of(const VaultLogs& logs, const Entry& fact, std::int64_t generation) {
  LinesOfFact lines;
  for (const LedgerEntry& line : logs.ledger | std::views::reverse) {
    if (line.generation != generation || line.fact != fact.id || line.outcome == Outcome::quarantined) continue;
    if (!lines.latest) lines.latest = &line;
    if (!lines.latest_of_text && line.fact_hash == fact.hash) lines.latest_of_text = &line;
  }
  return lines;
}

// The line that is missing for a pending fact that stands in the `from` of this entry; none if it is right as it is.
std::optional<LedgerEntry> missing_line(const VaultLogs& logs, const Entry& fact, const Entry& entry, const RunIdentity& identity) {
  const auto [latest, latest_of_text] = lines_of(logs, fact, identity.generation);
  if (latest && latest->outcome == Outcome::undone) return std::nullopt;  // it was let go on purpose
  if (latest && !latest_of_text) return std::nullopt;                     // it was edited since
  LedgerEntry line{identity.generation, identity.run, identity.at, fact.id, fact.hash,
                   Outcome::added,      entry.id,     entry.hash,  {},      {}};
  if (!latest_of_text) return line;
  line.outcome = Outcome::replaced;
  if (latest_of_text->entry.empty() || latest_of_text->entry == entry.id) return line;
  line.outcome = Outcome::merged;  // what it had gone into is no longer there
  line.entry = latest_of_text->entry;
  line.entry_hash.clear();
  line.into = entry.id;
  return line;
}

Result<size_t> settle_by_from(Memory& memory, const std::vector<Entry>& entries) {
  const auto pending =
      memory.ask<std::vector<IndexReader::PendingFact>>([](IndexReader& reader) { return reader.pending_facts(); });
  if (!pending) return std::unexpected(pending.error());
  if (pending->empty()) return 0;
  std::unordered_map<std::string_view, const Entry*> homes;
  for (const Entry& entry : entries)
    if (entry.active)
      for (const std::string& fact : entry.from) homes.emplace(fact, &entry);
  std::vector<std::pair<const Entry*, const Entry*>> found;
  for (const IndexReader::PendingFact& fact : *pending)
    if (const auto home = homes.find(fact.entry.id); home != homes.end()) found.emplace_back(&fact.entry, home->second);
  if (found.empty()) return 0;

  const Vault& vault = memory.vault();
  const auto logs = TRY(read_logs(vault));
  const auto identity = TRY(new_run(vault));
  std::vector<LedgerEntry> lines;
  for (const auto& [fact, home] : found)
    if (auto line = missing_line(logs, *fact, *home, identity)) lines.push_back(std::move(*line));
  TRY(append_ledger(vault, lines));
  return lines.size();
}

// --- entries that a forgotten fact ended ---

struct Ended {
  const Entry* entry = nullptr;
  std::vector<Entry> facts;  // that still hold, and were settled into it
};

// Inactive through one of its facts, not by its own name: others of them may still be true.
Result<std::vector<Ended>> ended_by_a_fact(Memory& memory, const std::vector<Entry>& entries, const VaultLogs& logs) {
  const auto untouchable = TRY(files_to_leave_alone(memory));
  std::vector<Ended> ended;
  for (const Entry& entry : entries) {
    const Tombstone* own = state_of(logs, entry.id);
    if (entry.active || (own && removes(*own)) || untouchable.contains(entry.places.front().file)) continue;
    Ended one{&entry, {}};
    for (const std::string& id : entry.from) {
      auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
      const bool still_holds = !found.empty() && found.front().id == id && found.front().active && !found.front().pending;
      if (still_holds) one.facts.push_back(std::move(found.front()));
    }
    if (!one.facts.empty()) ended.push_back(std::move(one));
  }
  return ended;
}

Result<size_t> let_go(Memory& memory, const std::vector<Ended>& ended) {
  const auto identity = TRY(new_run(memory.vault()));
  RunRecord record;
  record.run = identity.run;
  record.at = identity.at;
  record.generation = identity.generation;
  record.kind = "release";
  Plan plan;
  for (const auto& [entry, facts] : ended) {
    PlannedEntry& gone = plan.changes.emplace_back();
    gone.id = entry->id;
    gone.before_hash = entry->hash;
    gone.file = entry->places.front().file;
    gone.removed = true;
    for (const Entry& fact : facts)
      plan.ledger.push_back({identity.generation,
                             identity.run,
                             identity.at,
                             fact.id,
                             fact.hash,
                             Outcome::undone,
                             entry->id,
                             {},
                             {},
                             "a fact that it rested on was forgotten"});
  }
  auto changes = TRY(changes_of_files(memory, plan.changes, Placement::at_the_end));
  TRY(carry_out(memory, std::move(changes), {}, plan.ledger, record));
  record.ended = memory.now();
  record.outcome = "done";
  TRY(write_run(memory.vault(), record));
  return plan.ledger.size();
}

Result<size_t> take_apart_ended(Memory& memory, const std::vector<Entry>& entries) {
  if (std::ranges::all_of(entries, &Entry::active)) return 0;
  const auto logs = TRY(read_logs(memory.vault()));
  const auto ended = TRY(ended_by_a_fact(memory, entries, logs));
  if (ended.empty()) return 0;
  auto released = let_go(memory, ended);
  // They are invisible already; when git is done, or the person has saved, they go.
  if (!released && released.error().code == ErrorCode::refused) return 0;
  return released;
}

// --- facts that a person restored ---

// Ids, and when each was restored. `corrected_since`: also those that were, and overrule by what took their place.
std::map<std::string, Instant> restored_ids(const VaultLogs& logs, bool corrected_since) {
  std::map<std::string, Instant> restored;
  for (const Tombstone& tombstone : logs.tombstones) {
    if (tombstone.reason == Tombstone::Reason::demoted) continue;
    if (corrected_since && tombstone.reason == Tombstone::Reason::corrected) continue;
    restored.erase(tombstone.id);
    if (!removes(tombstone)) restored.emplace(tombstone.id, tombstone.at);
  }
  return restored;
}

// The fact was settled anew when it was restored or later, or what it had gone into says something newer: that has overruled it.
bool was_replaced_since(const VaultLogs& logs, const LedgerEntry& settled, Instant restored_at) {
  const std::string& home = settled.into.empty() ? settled.entry : settled.into;
  return settled.at >= restored_at || std::ranges::any_of(logs.ledger, [&](const LedgerEntry& line) {
           return line.outcome == Outcome::replaced && line.entry == home && line.generation == settled.generation &&
                  line.at >= restored_at;
         });
}

// The line that lets go of a fact that had gone into an entry which was deleted, or corrected, and says it no longer. Not of one
// that a person has merged with its entry into another.
std::optional<LedgerEntry> release_line(const VaultLogs& logs, const Entry& fact, const std::vector<Entry>& entries,
                                        const RunIdentity& identity, Instant restored_at) {
  const LedgerEntry* settled = lines_of(logs, fact, identity.generation).latest_of_text;
  if (!settled || settled->outcome == Outcome::undone || settled->entry.empty()) return std::nullopt;
  if (was_replaced_since(logs, *settled, restored_at)) return std::nullopt;
  const auto holds_it = [&](const Entry& entry) {
    return entry.active && (entry.id == settled->into || std::ranges::find(entry.from, fact.id) != entry.from.end());
  };
  if (std::ranges::any_of(entries, holds_it)) return std::nullopt;
  LedgerEntry line{identity.generation, identity.run,   identity.at, fact.id, fact.hash,
                   Outcome::undone,     settled->entry, {},          {},      "it was restored"};
  const auto standing = std::ranges::find(entries, settled->entry, &Entry::id);
  if (standing != entries.end()) line.entry_hash = standing->hash;
  return line;
}

// What came back together with a fact that had overruled it is overruled again, by that fact.
Result<std::set<std::string>> restored_and_overruled(Memory& memory, const Chronicle& chronicle,
                                                     const std::map<std::string, Instant>& restored) {
  std::set<std::string> overruled;
  for (const auto& [id, restored_at] : restored_ids(chronicle.logs(), true)) {
    const auto fact = TRY(entry_with_id(memory, id));
    if (!fact || fact->corrects.empty()) continue;
    for (const std::string& earlier : TRY(facts_overruled_by(memory, chronicle, *fact)))
      if (const auto other = restored.find(earlier); other != restored.end() && other->second == restored_at)
        overruled.insert(earlier);
  }
  return overruled;
}

Result<size_t> release_restored(Memory& memory, const std::vector<Entry>& entries) {
  const Vault& vault = memory.vault();
  const auto chronicle = TRY(Chronicle::read(vault));
  const auto restored = restored_ids(chronicle.logs(), false);
  if (restored.empty()) return 0;
  const auto overruled = TRY(restored_and_overruled(memory, chronicle, restored));
  const auto in_question = TRY(facts_in_question(memory));  // a person may have taken its entry out again
  const auto identity = TRY(new_run(vault));
  std::vector<LedgerEntry> lines;
  for (const auto& [id, restored_at] : restored) {
    if (in_question.contains(id) || overruled.contains(id)) continue;
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (found.empty() || found.front().id != id) continue;
    const Entry& fact = found.front();
    if (fact.place != Place::archive || fact.kind != EntryKind::fact || !fact.active || fact.pending) continue;
    if (auto line = release_line(chronicle.logs(), fact, entries, identity, restored_at)) lines.push_back(std::move(*line));
  }
  TRY(append_ledger(vault, lines));
  return lines.size();
}

}  // namespace

Result<bool> has_entries_to_take_apart(Memory& memory) {
  const auto logs = TRY(read_logs(memory.vault()));
  // By the ledger: `status` asks this too, and to list all entries takes a tenth of a second.
  const std::vector<std::string> gone = ended_ids(logs, {});
  std::set<std::string_view> homes;
  for (const LedgerEntry& line : logs.ledger)
    if (std::ranges::binary_search(gone, line.fact)) homes.insert(line.into.empty() ? line.entry : line.into);
  homes.erase("");  // of what was ignored
  std::vector<Entry> entries;
  for (const std::string_view home : homes) {
    auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(home, 1); }));
    const bool is_ended = !found.empty() && found.front().id == home && found.front().place == Place::consolidated;
    if (is_ended && !found.front().active) entries.push_back(std::move(found.front()));
  }
  if (entries.empty()) return false;
  const auto ended = TRY(ended_by_a_fact(memory, entries, logs));
  return !ended.empty();
}

Result<size_t> settle_unfinished(Memory& memory) {
  TRY(memory.catch_up());
  const auto finished = TRY(finish_killed_run(memory));
  const std::string ledger = ".loci/ledger/" + memory.vault().host() + ".jsonl";
  const auto entries = TRY(consolidated_entries(memory));
  const auto settled = TRY(settle_by_from(memory, entries));
  const auto restored = TRY(release_restored(memory, entries));
  if (settled + restored > 0) make_searchable(memory, {ledger});
  const auto released = TRY(take_apart_ended(memory, entries));
  return finished + settled + restored + released;
}

}  // namespace loci
