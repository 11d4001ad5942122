#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "consolidate/decide/history.h"
#include "consolidate/runs/failures.h"
#include "consolidate/runs/material_parts.h"
#include "consolidate/runs/store.h"
#include "edits/other_places.h"
#include "edits/understand.h"
#include "memory/may_send.h"
#include "parser/parser.h"

namespace loci {
namespace {

constexpr size_t all_of_them = size_t{1} << 30;

Result<std::vector<Fact>> pending_facts(Memory& memory, const Chronicle& chronicle, Sendable& sendable) {
  auto pending = TRY(memory.ask<std::vector<IndexReader::PendingFact>>([](IndexReader& reader) { return reader.pending_facts(); }));
  const Failures failures = read_failures(memory.vault());
  std::vector<Fact> facts;
  facts.reserve(pending.size());
  for (auto& [entry, quarantined] : pending) {
    const auto may_send = TRY(sendable.may_send(entry));
    Fact& fact = facts.emplace_back(fact_of(std::move(entry)));
    fact.quarantined = quarantined;
    fact.is_private = !may_send;
    auto earlier = TRY(earlier_versions(memory, chronicle, fact));
    fact.earlier = std::move(earlier);
    const auto failed = failures.find(fact.id);
    if (failed != failures.end() && failed->second.hash == fact.hash) fact.failures = failed->second.count;
  }
  return facts;
}

DurableEntry durable_of(Entry&& entry) {
  DurableEntry durable;
  durable.id = std::move(entry.id);
  durable.hash = std::move(entry.hash);
  durable.text = std::move(entry.text);
  durable.source = entry.source;
  durable.file = std::move(entry.places.front().file);
  durable.about = std::move(entry.about);
  durable.tags = std::move(entry.tags);
  durable.project = std::move(entry.project);
  durable.first_seen = std::move(entry.first_seen);
  durable.updated = std::move(entry.updated);
  durable.sources = std::move(entry.sources);
  durable.from = std::move(entry.from);
  return durable;
}

// The index does not have what the metadata says of former states.
Status add_histories(const Vault& vault, std::vector<DurableEntry>& entries) {
  std::map<std::string, ParsedFile> files;
  for (DurableEntry& entry : entries) {
    const auto [file, is_new] = files.try_emplace(entry.file);
    if (is_new) {
      const auto bytes = TRY(read_file_if_any(vault.files(), vault.file(entry.file)));
      file->second = parse(bytes.value_or(std::string()));
    }
    const auto found = std::ranges::find(file->second.entries, entry.id, &ParsedEntry::id);
    if (found == file->second.entries.end() || !found->metadata) continue;
    entry.state = state_in(*found->metadata);
  }
  return {};
}

Result<std::vector<DurableEntry>> durable_entries(Memory& memory, std::vector<Entry> entries, Sendable& sendable) {
  const auto untouchable = TRY(files_to_leave_alone(memory));
  std::vector<DurableEntry> durable;
  durable.reserve(entries.size());
  for (Entry& entry : entries) {
    if (!entry.active) continue;
    const auto may_send = TRY(sendable.may_send(entry));
    DurableEntry& one = durable.emplace_back(durable_of(std::move(entry)));
    one.is_private = !may_send;
    one.writable = !untouchable.contains(one.file);
  }
  TRY(add_histories(memory.vault(), durable));
  return durable;
}

}  // namespace

Fact fact_of(Entry&& entry) {
  Fact fact;
  fact.file = entry.places.front().file;
  fact.day = date_in_name(std::string_view(fact.file).substr(fact.file.rfind('/') + 1));
  if (fact.day.empty() && entry.at) fact.day = utc_date(*entry.at);
  fact.id = std::move(entry.id);
  fact.hash = std::move(entry.hash);
  fact.text = std::move(entry.text);
  fact.source = entry.source;
  fact.at = entry.at;
  fact.about = std::move(entry.about);
  fact.tags = std::move(entry.tags);
  fact.project = std::move(entry.project);
  fact.corrects = std::move(entry.corrects);
  return fact;
}

Result<std::vector<FactVersion>> earlier_versions(Memory& memory, const Chronicle& chronicle, const Fact& fact) {
  std::vector<FactVersion> versions;
  std::set<std::string> seen{fact.id};
  std::deque<std::string> next;
  const auto look_behind = [&](const std::string& id, const std::string& corrects) {
    if (!corrects.empty()) next.push_back(corrects);
    for (const std::string_view old : chronicle.replaced_by(id)) next.emplace_back(old);
  };
  for (look_behind(fact.id, fact.corrects); !next.empty(); next.pop_front()) {
    if (!seen.insert(next.front()).second) continue;
    auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(next.front(), 1); }));
    if (found.empty() || found.front().id != next.front() || found.front().place != Place::archive) continue;
    const Entry& version = found.front();
    versions.push_back({version.id, version.corrects, version.at, version.source});
    look_behind(version.id, version.corrects);
  }
  return versions;
}

Result<std::vector<Entry>> consolidated_entries(Memory& memory) {
  std::vector<Entry> entries;
  for (const std::string& file : watched_files(memory.vault())) {
    if (place_of(file) != Place::consolidated) continue;
    EntryFilter filter;
    filter.file = file;
    filter.inactive = true;
    auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); }));
    for (Entry& entry : found)
      if (entry.place == Place::consolidated && entry.has_metadata) entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::set<std::string>> files_to_leave_alone(Memory& memory) {
  std::set<std::string> files;
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems())
    if (problem.code == "conflict-markers" || problem.code == "invalid-utf8") files.insert(problem.file);
  const auto questions = TRY(waiting_questions(memory.vault()));
  for (const Question& question : questions) files.insert(question.file);
  return files;
}

std::vector<std::string> ended_ids(const VaultLogs& logs, const std::vector<Entry>& entries) {
  std::map<std::string_view, bool> ended;
  for (const Tombstone& tombstone : logs.tombstones)
    if (tombstone.reason != Tombstone::Reason::demoted) ended[tombstone.id] = removes(tombstone);
  for (const Entry& entry : entries)
    if (!entry.active) ended[entry.id] = true;
  std::vector<std::string> ids;
  for (const auto& [id, is_ended] : ended)
    if (is_ended) ids.emplace_back(id);
  return ids;
}

Result<Material> read_material(Memory& memory) {
  Sendable sendable(memory);
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  auto standing = TRY(consolidated_entries(memory));
  Material material;
  material.ended = ended_ids(chronicle.logs(), standing);
  auto facts = TRY(pending_facts(memory, chronicle, sendable));
  material.facts = std::move(facts);
  auto entries = TRY(durable_entries(memory, std::move(standing), sendable));
  material.entries = std::move(entries);
  return material;
}

Result<Material> read_material_of_rebuild(Memory& memory, std::vector<Entry> facts, std::vector<Entry> standing,
                                          const Chronicle& chronicle) {
  Sendable sendable(memory);
  Material material;
  material.ended = ended_ids(chronicle.logs(), standing);
  for (Entry& entry : facts) {
    const auto may_send = TRY(sendable.may_send(entry));
    material.facts.push_back(fact_of(std::move(entry)));
    material.facts.back().is_private = !may_send;
    auto earlier = TRY(earlier_versions(memory, chronicle, material.facts.back()));
    material.facts.back().earlier = std::move(earlier);
  }
  std::ranges::sort(material.facts, [](const Fact& a, const Fact& b) { return std::tie(a.at, a.id) < std::tie(b.at, b.id); });
  std::erase_if(standing, [](const Entry& entry) { return !entry.from.empty(); });
  auto entries = TRY(durable_entries(memory, std::move(standing), sendable));
  material.entries = std::move(entries);
  for (DurableEntry& entry : material.entries) entry.writable = false;  // they stay byte for byte
  return material;
}

}  // namespace loci
