#include <algorithm>
#include <set>

#include "consolidate/material_parts.h"
#include "consolidate/store.h"
#include "memory/add.h"
#include "vault/archive/append.h"
#include "vault/logs/chronicle.h"

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
Result<std::vector<Entry>> entries_to_file(Memory& memory, const Chronicle& chronicle) {
  auto entries = TRY(consolidated_entries(memory));
  const auto untouchable = TRY(files_to_leave_alone(memory));
  std::erase_if(entries, [&](const Entry& entry) {
    return !entry.active || !entry.edited || chronicle.is_removed(entry.id) || untouchable.contains(entry.places.front().file);
  });
  return entries;
}

// What was appended before a crash is not appended again.
Result<std::vector<Fact>> facts_of(Memory& memory, const std::vector<Entry>& entries) {
  auto pending = TRY(memory.ask<std::vector<IndexReader::PendingFact>>([](IndexReader& reader) { return reader.pending_facts(); }));
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

// Its text stays; that it is a person's, and on what it rests, is written down. A fact that was forgotten meanwhile would end it.
PlannedEntry resting_on(const Entry& entry, const Fact& fact, const RunIdentity& identity, const Chronicle& chronicle) {
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
  metadata.updated = utc_date(identity.at);
  metadata.sources = entry.sources;
  if (std::ranges::find(metadata.sources, fact.day) == metadata.sources.end())
    metadata.sources.insert(std::ranges::upper_bound(metadata.sources, fact.day), fact.day);
  metadata.from = entry.from;
  std::erase_if(metadata.from, [&](const std::string& id) { return chronicle.is_removed(id); });
  if (std::ranges::find(metadata.from, fact.id) == metadata.from.end()) metadata.from.push_back(fact.id);
  return planned;
}

}  // namespace

Result<size_t> file_edited_entries(Memory& memory, const RunIdentity& identity, RunRecord& record) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const auto entries = TRY(entries_to_file(memory, chronicle));
  if (entries.empty()) return 0;
  const auto facts = TRY(facts_of(memory, entries));
  Plan plan;
  ClusterRecord& cluster = record.clusters.emplace_back();
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const Fact& fact = facts[i];
    plan.changes.push_back(resting_on(entry, fact, identity, chronicle));
    plan.ledger.push_back({identity.generation,
                           identity.run,
                           identity.at,
                           fact.id,
                           fact.hash,
                           LedgerEntry::Outcome::replaced,
                           entry.id,
                           entry.hash,
                           {},
                           {}});
    cluster.facts.push_back(fact.id);
  }
  TRY(apply_plan(memory, plan, record));
  return entries.size();
}

}  // namespace loci
