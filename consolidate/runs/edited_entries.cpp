#include <algorithm>
#include <functional>
#include <ranges>
#include <set>

#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/store.h"
#include "edits/act_log.h"
#include "memory/add.h"
#include "vault/archive/append.h"
#include "vault/logs/chronicle.h"
#include "words/statement.h"

namespace loci {
namespace {

NewEntry as_fact(const Entry& entry) {
  NewEntry fact;
  fact.metadata.source = Source::user;
  fact.metadata.kind = EntryKind::fact;
  fact.metadata.project = entry.project;
  fact.metadata.tags = entry.tags;
  fact.metadata.about = entry.about;
  fact.metadata.corrects = entry.id;
  fact.text = entry.text;
  return fact;
}

// Not one that was forgotten before it got these words: it waits for a person to say whether it is to stay.
Result<std::vector<Entry>> standing_entries(Memory& memory, const Chronicle& chronicle) {
  auto entries = TRY(consolidated_entries(memory));
  const auto untouchable = TRY(files_to_leave_alone(memory));
  std::erase_if(entries, [&](const Entry& entry) {
    return !entry.active || chronicle.is_removed(entry.id) || untouchable.contains(entry.places.front().file);
  });
  return entries;
}

using Pending = std::vector<IndexReader::PendingFact>;

LedgerEntry settled_into(const Entry& entry, const std::string& fact, const std::string& hash, const RunIdentity& identity) {
  return {identity.generation, identity.run, identity.at, fact, hash, LedgerEntry::Outcome::replaced, entry.id, entry.hash, {}, {}};
}

// A person wants the fact back: no words that stood in the entry by then are later. What came back together with the entry stands
// to it as it did before.
bool was_restored_by_itself(const Chronicle& chronicle, std::string_view fact, std::string_view entry) {
  const Tombstone* last = chronicle.tombstone_of(fact);
  if (!last || removes(*last)) return false;
  const Tombstone* of_entry = chronicle.tombstone_of(entry);
  return !of_entry || removes(*of_entry) || of_entry->at < last->at;
}

// What a run filed of an entry before it was cut off, or undone, and the entry says something else since.
std::vector<LedgerEntry> overtaken(const std::vector<Entry>& entries, const Pending& pending, const Chronicle& chronicle,
                                   const RunIdentity& identity) {
  std::vector<LedgerEntry> lines;
  for (const auto& [fact, quarantined] : pending) {
    if (fact.corrects.empty() || fact.source != Source::user) continue;
    const auto entry = std::ranges::find(entries, fact.corrects, &Entry::id);
    if (entry == entries.end() || was_restored_by_itself(chronicle, fact.id, fact.corrects)) continue;
    if (entry->hash != fact.hash) lines.push_back(settled_into(*entry, fact.id, fact.hash, identity));
  }
  return lines;
}

// The fact that these words of the entry were filed as while it was missing from its file, and that rests in it still.
Result<std::optional<Entry>> filed_while_missing(Memory& memory, const Chronicle& chronicle, const Entry& entry) {
  for (const LedgerEntry* line : chronicle.lines_of_entry(entry.id)) {
    if (line->entry != entry.id || line->entry_hash != entry.hash || line->fact_hash != entry.hash) continue;
    const LedgerEntry* latest = chronicle.latest_line(line->fact);
    if (chronicle.is_removed(line->fact) || !latest || latest->outcome == LedgerEntry::Outcome::undone) continue;
    auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(std::string(line->fact), 1); }));
    if (!found.empty() && found.front().id == line->fact && found.front().corrects == entry.id) return std::move(found.front());
  }
  return std::nullopt;
}

// What was appended before a crash is not appended again.
Result<std::vector<Fact>> facts_of(Memory& memory, const Chronicle& chronicle, const std::vector<Entry>& entries,
                                   const Pending& pending) {
  std::vector<Fact> facts(entries.size());
  std::vector<NewEntry> missing;
  std::vector<size_t> places;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto known = std::ranges::find_if(pending, [&](const IndexReader::PendingFact& fact) {
      return fact.entry.corrects == entries[i].id && fact.entry.hash == entries[i].hash;
    });
    if (known != pending.end()) {
      facts[i] = fact_of(Entry(known->entry));
      continue;
    }
    if (auto filed = TRY(filed_while_missing(memory, chronicle, entries[i]))) {
      facts[i] = fact_of(std::move(*filed));
      continue;
    }
    missing.push_back(as_fact(entries[i]));
    places.push_back(i);
  }
  if (missing.empty()) return facts;
  const auto appended = TRY(append_entries(memory.vault(), std::move(missing)));
  std::vector<std::string> files;
  for (size_t i = 0; i < places.size(); ++i) {
    const Appended& fact = appended[i];
    Fact& filed = facts[places[i]];
    filed.id = fact.id;
    filed.hash = fact.hash;
    filed.text = entries[places[i]].text;
    filed.day = date_in_name(std::string_view(fact.file).substr(fact.file.rfind('/') + 1));
    files.push_back(fact.file);
  }
  make_searchable(memory, files);
  return facts;
}

// A person who adds to an entry says nothing again that stood there before, so its day stays: what was said since is newer. Unless
// something that its facts say is gone, or their texts are not known.
Result<bool> only_adds(Memory& memory, const Entry& entry) {
  const Statement text = read_statement(entry.text);
  bool is_known = false;
  for (const std::string& id : entry.from) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    if (found.empty() || found.front().id != id) return false;
    is_known = true;
    const Statement fact = read_statement(found.front().text);
    const Said said{&fact, {entry.first_seen, entry.updated}, {}};
    if (!values_missing(said, text).empty() || !names_missing(said, text).empty()) return false;
    if (loses_negation(fact.negation, text.negation) || (text.negation.denies && !fact.negation.denies)) return false;
  }
  return is_known && !entry.updated.empty();
}

// The day on which a person's words in it were first seen, which may be long before the run that files them; empty if this machine
// did not see it.
std::string day_of_edit(const Vault& vault, const std::vector<Act>& acts, const Entry& entry) {
  const auto is_this_edit = [&](const Act& act) { return act.entry == entry.id && act.hash_after == entry.hash; };
  const auto act = std::ranges::find_if(acts | std::views::reverse, is_this_edit);
  return act == acts.rend() ? std::string() : vault.clock().local_date(act->at);
}

// An old buffer brings the entry back without what an undo took from it: the fact is pending, and goes elsewhere.
bool was_let_go(const Chronicle& chronicle, std::string_view fact) {
  const LedgerEntry* line = chronicle.latest_line(fact);
  return line && line->outcome == LedgerEntry::Outcome::undone;
}

// Its text stays; that it is a person's, and on what it rests, is written down. A fact that was forgotten meanwhile would end it.
// `said`: the day of what is new in it; empty if nothing is.
PlannedEntry resting_on(const Entry& entry, const Fact& fact, const Chronicle& chronicle, const std::string& said) {
  PlannedEntry planned;
  planned.id = entry.id;
  planned.before_hash = entry.hash;
  planned.file = entry.places.front().file;
  planned.text = entry.text;
  planned.facts.push_back({fact.id, fact.hash, fact.text, fact.day, Source::user});
  Metadata& metadata = planned.metadata;
  metadata.id = entry.id;
  metadata.source = Source::user;
  metadata.project = entry.project;
  metadata.tags = entry.tags;
  metadata.about = entry.about;
  metadata.first_seen = entry.first_seen.empty() ? fact.day : entry.first_seen;
  metadata.updated = std::max(entry.updated, said);
  metadata.sources = entry.sources;
  if (std::ranges::find(metadata.sources, fact.day) == metadata.sources.end())
    metadata.sources.insert(std::ranges::upper_bound(metadata.sources, fact.day), fact.day);
  metadata.from = entry.from;
  std::erase_if(metadata.from, [&](const std::string& id) { return chronicle.is_removed(id) || was_let_go(chronicle, id); });
  if (std::ranges::find(metadata.from, fact.id) == metadata.from.end()) metadata.from.push_back(fact.id);
  return planned;
}

}  // namespace

Result<size_t> file_edited_entries(Memory& memory, const RunIdentity& identity, RunRecord& record) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  auto entries = TRY(standing_entries(memory, chronicle));
  const auto pending = TRY(memory.ask<Pending>([](IndexReader& reader) { return reader.pending_facts(); }));
  Plan plan;
  plan.ledger = overtaken(entries, pending, chronicle, identity);
  const auto acts =
      plan.ledger.empty() && std::ranges::none_of(entries, &Entry::edited) ? std::vector<Act>() : TRY(acts_of(memory.vault()));
  // Words that a person took back are theirs, too, if they are those that loci had written.
  const auto is_theirs = [&](const Entry& entry) {
    const bool overtakes = std::ranges::find(plan.ledger, entry.id, &LedgerEntry::entry) != plan.ledger.end();
    return entry.edited || (overtakes && !day_of_edit(memory.vault(), acts, entry).empty());
  };
  std::erase_if(entries, std::not_fn(is_theirs));
  if (entries.empty() && plan.ledger.empty()) return 0;
  const auto facts = TRY(facts_of(memory, chronicle, entries, pending));
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto adds = TRY(only_adds(memory, entries[i]));
    std::string said;
    if (!adds) said = day_of_edit(memory.vault(), acts, entries[i]);
    if (!adds && said.empty()) said = facts[i].day;
    plan.changes.push_back(resting_on(entries[i], facts[i], chronicle, said));
    plan.ledger.push_back(settled_into(entries[i], facts[i].id, facts[i].hash, identity));
  }
  ClusterRecord& cluster = record.clusters.emplace_back();
  for (const LedgerEntry& line : plan.ledger) cluster.facts.push_back(line.fact);
  TRY(apply_plan(memory, plan, record));
  return entries.size();
}

}  // namespace loci
