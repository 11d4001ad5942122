#include "memory/purge.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "memory/file_changes.h"
#include "memory/forget.h"
#include "memory/purge_record.h"
#include "memory/purge_stores.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "memory/still_says.h"
#include "parser/core_file.h"
#include "vault/changes/file_transaction.h"
#include "vault/layout/ignore.h"
#include "vault/layout/scan.h"
#include "vault/logs/chronicle.h"
#include "vault/purge/purge_markdown.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/recovery.h"

namespace loci {
namespace {

constexpr size_t page = 1000;

void add(std::vector<Entry>& entries, Entry entry) {
  const auto known = std::ranges::find(entries, entry.id, &Entry::id);
  if (known == entries.end()) return entries.push_back(std::move(entry));
  for (EntryPlace& place : entry.places)
    if (std::ranges::find(known->places, place.file, &EntryPlace::file) == known->places.end())
      known->places.push_back(std::move(place));
}

bool rests_on(const Entry& entry, const std::vector<Entry>& entries) {
  return std::ranges::any_of(entries, [&](const Entry& one) {
    return (!one.hash.empty() && one.hash == entry.hash) || std::ranges::find(entry.from, one.id) != entry.from.end() ||
           std::ranges::find(one.from, entry.id) != one.from.end();
  });
}

// Every entry of the vault that has the same text, is a fact of one of these, or rests on one of these.
Status add_relatives(Memory& memory, std::vector<Entry>& entries) {
  const std::vector<Entry> named = entries;
  std::string after;
  while (true) {
    EntryFilter all;
    all.inactive = true;
    auto listed = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(all, page, after); }));
    if (listed.empty()) return {};
    after = listed.back().id;
    for (Entry& entry : listed)
      if (rests_on(entry, named)) add(entries, std::move(entry));
  }
}

PurgedText text_of(const std::vector<Entry>& entries) {
  std::vector<PurgedEntry> purged;
  for (const Entry& entry : entries) purged.push_back({entry.id, entry.text, entry.hash});
  return PurgedText(std::move(purged));
}

bool is_purged_by(const VaultLogs& logs, const std::string& id) {
  const Tombstone* state = state_of(logs, id);
  return state && is_purged(*state);
}

// Without metadata the id is made of the text's hash, and nothing of that may stay: once the text is gone from every file there is
// nothing left to suppress. What has one time is restored together: not what was overtaken with what was purged.
Status write_tombstones(const Vault& vault, const std::vector<Entry>& entries, const VaultLogs& logs) {
  const Instant at = next_tombstone_time(vault, logs) + std::chrono::milliseconds(1);
  std::vector<Tombstone> tombstones;
  for (const Entry& entry : entries)
    if (entry.has_metadata && !is_purged_by(logs, entry.id))
      tombstones.push_back({at, entry.id, {}, Tombstone::Reason::deleted, "user", {}});
  return append_tombstones(vault, tombstones);
}

// Words that a run had filed of an entry that goes, and that its person has written over since, do not come back, and no more does
// what the purged ones had overruled.
Result<std::vector<std::string>> end_overtaken(Memory& memory, const std::vector<Entry>& entries, const PurgedText& text,
                                               const Chronicle& chronicle) {
  std::set<std::string> facts;
  std::vector<std::string> overtaken;
  for (const Entry& entry : entries) {
    if (entry.place != Place::archive) continue;
    facts.insert(entry.id);
    std::ranges::move(TRY(facts_that_end_with(memory, chronicle, entry)), std::back_inserter(overtaken));
  }
  std::ranges::move(TRY(folded_entries(memory, facts)).overtaken, std::back_inserter(overtaken));
  std::erase_if(overtaken, [&](const std::string& id) { return text.has_id(id) || chronicle.is_removed(id); });
  std::vector<Tombstone> ends;
  for (const std::string& id : std::set(overtaken.begin(), overtaken.end()))
    ends.push_back({next_tombstone_time(memory.vault(), chronicle.logs()), id, {}, Tombstone::Reason::corrected, "user", {}});
  TRY(append_tombstones(memory.vault(), ends));
  return overtaken;
}

// An entry goes as a whole, but what other facts had brought to it was not purged: those are pending again.
Status release_other_facts(const Vault& vault, const std::vector<Entry>& entries, const PurgedText& text,
                           const std::vector<std::string>& overtaken, const VaultLogs& logs) {
  std::vector<LedgerEntry> released;
  for (const Entry& entry : entries) {
    for (const std::string& fact : entry.from) {
      if (text.has_id(fact) || std::ranges::find(overtaken, fact) != overtaken.end()) continue;
      const auto latest = std::ranges::find_if(logs.ledger.rbegin(), logs.ledger.rend(), [&](const LedgerEntry& line) {
        return line.fact == fact && line.outcome != LedgerEntry::Outcome::quarantined;
      });
      if (latest == logs.ledger.rend() || latest->outcome == LedgerEntry::Outcome::undone) continue;
      LedgerEntry& line = released.emplace_back();
      line.generation = latest->generation;
      line.run = "purge-" + entry.id;
      line.at = std::max(vault.clock().now(), logs.ledger.back().at + std::chrono::milliseconds(1));
      line.fact = fact;
      line.fact_hash = latest->fact_hash;
      line.outcome = LedgerEntry::Outcome::undone;
      line.entry = entry.id;
      line.why = "a fact that it stood together with was purged";
    }
  }
  return append_ledger(vault, released);
}

std::vector<std::string> files_to_purge(const Vault& vault, const std::vector<Entry>& entries) {
  std::set<std::string> files;
  for (const Entry& entry : entries)
    for (const EntryPlace& place : entry.places) files.insert(place.file);
  files.insert(core_file_name);
  if (const auto scanned = scan(vault))
    std::ranges::copy_if(scanned->conflict_files, std::inserter(files, files.end()), has_markdown_suffix);
  return {files.begin(), files.end()};
}

void failed(Purged& purged, std::string note) {
  purged.notes.push_back(std::move(note));
  purged.complete = false;
}

void purge_files(const Vault& vault, const std::vector<Entry>& entries, const PurgedText& text, Purged& purged) {
  for (const std::string& file : files_to_purge(vault, entries)) {
    const auto changed = change_file(
        vault, file, [&](std::string_view bytes) -> Result<std::string> { return purge_memory_file(file, bytes, text); });
    if (changed && *changed) purged.files.push_back(file);
    if (!changed && changed.error().code != ErrorCode::not_found)
      failed(purged, file + " could not be purged: " + changed.error().message);
  }
}

// What others left half done is finished first: a save that a write displaced belongs into the file, or into a conflict file beside
// it, before what was displaced goes; and of a transaction neither half may be missing when its note does.
void finish_what_waits(const Vault& vault, Purged& purged) {
  const auto note = [&](const auto& done) {
    if (!done) purged.notes.push_back("what an earlier write left could not be finished: " + done.error().message);
  };
  note(finish_transactions(vault));
  note(recover_writes(vault));
  note(check_displaced(vault));
}

void purge_all_stores(const Vault& vault, std::span<const Store> stores, const PurgedText& text, Purged& purged) {
  StoresPurged done;
  purge_stores(vault, stores, text, done);
  std::ranges::move(done.files, std::back_inserter(purged.files));
  purged.state_files = std::move(done.state_files);
  for (std::string& failure : done.failures) failed(purged, std::move(failure));
}

// What a purge has left of an entry says nothing. Its relatives are known by its id, and by the hash that a tombstone may still
// have.
void look_behind_placeholder(Entry& entry, const VaultLogs& logs) {
  if (!is_purged(entry.text)) return;
  const std::string of_placeholder = std::exchange(entry.hash, {});
  entry.text.clear();
  for (const Tombstone& tombstone : logs.tombstones)
    if (tombstone.id == entry.id && !tombstone.text_hash.empty() && tombstone.text_hash != of_placeholder)
      entry.hash = tombstone.text_hash;
}

// As add_relatives, among the copies of what was taken out of its file.
Status add_removed_relatives(const Vault& vault, std::vector<Entry>& entries) {
  const auto removed = TRY(read_removed_entries(vault));
  const std::vector<Entry> named = entries;
  for (const RemovedEntry& one : removed)
    if (Entry entry = entry_of(one); rests_on(entry, named)) add(entries, std::move(entry));
  return {};
}

}  // namespace

Result<std::vector<Entry>> entries_to_purge(Memory& memory, const std::vector<std::string>& ids, const PurgeOptions& options) {
  auto entries = TRY(read_purge_record(memory.vault()));
  const auto logs = TRY(read_logs(memory.vault()));
  for (const std::string& id : ids) {
    if (std::ranges::find(entries, id, &Entry::id) != entries.end()) continue;
    auto entry = find_entry_to_change(memory, id, true);
    if (!entry && entry.error().code == ErrorCode::not_found) entry = find_removed(memory.vault(), logs, id, entry.error());
    if (!entry) return std::unexpected(entry.error());
    look_behind_placeholder(*entry, logs);
    add(entries, std::move(*entry));
  }
  if (options.everywhere) {
    for (const Entry& entry : std::vector<Entry>(entries)) {
      auto others = TRY(what_still_says(memory, entry.text));
      for (Entry& other : others) add(entries, std::move(other));
    }
  }
  TRY(add_removed_relatives(memory.vault(), entries));
  TRY(add_relatives(memory, entries));
  for (Entry& entry : entries) look_behind_placeholder(entry, logs);
  return entries;
}

Result<Purged> purge(Memory& memory, const std::vector<Entry>& entries, std::span<const Store> stores,
                     const ProgressCallback& progress) {
  const Vault& vault = memory.vault();
  const auto chronicle = TRY(Chronicle::read(vault));
  const VaultLogs& logs = chronicle.logs();
  const PurgedText text = text_of(entries);
  TRY(write_purge_record(vault, entries));
  const auto overtaken = TRY(end_overtaken(memory, entries, text, chronicle));
  TRY(write_tombstones(vault, entries, logs));
  TRY(release_other_facts(vault, entries, text, overtaken, logs));

  Purged purged;
  for (const Entry& entry : entries) purged.ids.push_back(entry.id);
  finish_what_waits(vault, purged);
  purge_files(vault, entries, text, purged);
  purge_all_stores(vault, stores, text, purged);
  if (const auto rebuilt = memory.reindex(true, progress); !rebuilt)
    failed(purged, "the index still holds it: " + rebuilt.error().message + "; run 'loci reindex --clear'");
  purged.still_in = files_that_still_hold(vault, text);
  if (purged.complete) TRY(remove_purge_record(vault));
  return purged;
}

std::vector<PurgedEntry> purged_ids(const VaultLogs& logs) {
  // A fact that was forgotten with its entry and that this vault does not know has no hash either, but its ledger lines have.
  std::set<std::string, std::less<>> with_hash;
  for (const LedgerEntry& line : logs.ledger)
    if (line.fact_hash.find_first_not_of('0') != std::string::npos) with_hash.insert(line.fact);
  std::map<std::string, const Tombstone*> latest;
  for (const Tombstone& tombstone : logs.tombstones)
    if (tombstone.reason != Tombstone::Reason::demoted) latest[tombstone.id] = &tombstone;
  std::vector<PurgedEntry> purged;
  for (const auto& [id, tombstone] : latest)
    if (is_purged(*tombstone) && !with_hash.contains(id)) purged.push_back({id, {}, {}});
  return purged;
}

}  // namespace loci
