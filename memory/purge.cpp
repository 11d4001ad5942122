#include "memory/purge.h"

#include <algorithm>
#include <utility>

#include "memory/file_changes.h"
#include "memory/forget.h"
#include "memory/purge_state.h"
#include "memory/removed_entries.h"
#include "memory/still_says.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

constexpr size_t page = 1000;

void add_unless_there(std::vector<Entry>& entries, Entry entry) {
  if (std::ranges::none_of(entries, [&](const Entry& known) { return known.id == entry.id; })) entries.push_back(std::move(entry));
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
      if (rests_on(entry, named)) add_unless_there(entries, std::move(entry));
  }
}

PurgeTarget target_of(const std::vector<Entry>& entries) {
  PurgeTarget target;
  for (const Entry& entry : entries) {
    target.ids.insert(entry.id);
    if (!entry.hash.empty()) target.hashes.insert(entry.hash);
  }
  return target;
}

bool is_purged_by(const VaultLogs& logs, const std::string& id) {
  const Tombstone* state = state_of(logs, id);
  return state && state->reason == Tombstone::Reason::deleted && state->text_hash.empty();
}

// Without metadata the id is made of the text's hash, and nothing of that may stay: once the text is gone from every file there is
// nothing left to suppress.
Status write_tombstones(const Vault& vault, const std::vector<Entry>& entries, const VaultLogs& logs) {
  const Instant at = next_tombstone_time(vault, logs);
  std::vector<Tombstone> tombstones;
  for (const Entry& entry : entries)
    if (entry.has_metadata && !is_purged_by(logs, entry.id))
      tombstones.push_back({at, entry.id, {}, Tombstone::Reason::deleted, "user", {}});
  return append_tombstones(vault, tombstones);
}

// An entry goes as a whole, but what other facts had brought to it was not purged: those are pending again.
Status release_other_facts(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target,
                           const VaultLogs& logs) {
  std::vector<LedgerEntry> released;
  for (const Entry& entry : entries) {
    for (const std::string& fact : entry.from) {
      if (target.ids.contains(fact)) continue;
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

// consolidated/, user.md and MEMORY.md lose the entry whole; elsewhere the lines stay, blank.
Result<std::string> purged_bytes(const std::string& file, std::string_view before, const PurgeTarget& target) {
  std::string bytes(before);
  const Place place = place_of(file);
  if (place == Place::core && bytes.find("loci:core") != std::string::npos)
    if (auto without = remove_core_lines(bytes, {target.ids.begin(), target.ids.end()})) bytes = std::move(*without);
  if (place == Place::consolidated || place == Place::user || place == Place::core)
    for (const ParsedEntry& entry : parse(bytes).entries)
      if (entry.metadata && (target.ids.contains(entry.id) || target.hashes.contains(entry.hash)))
        if (auto without = remove_entry(bytes, entry.id)) bytes = std::move(*without);
  return purge_markdown(bytes, target);
}

// The archive comes last: as long as it holds the text, a purge that was interrupted can be done again from the start.
std::vector<std::string> files_to_purge(const Vault& vault, const std::vector<Entry>& entries) {
  std::set<std::string> files;
  for (const Entry& entry : entries)
    for (const EntryPlace& place : entry.places) files.insert(place.file);
  files.insert(core_file_name);
  if (const auto scanned = scan(vault)) files.insert(scanned->conflict_files.begin(), scanned->conflict_files.end());
  std::vector<std::string> ordered(files.begin(), files.end());
  std::ranges::stable_partition(ordered, [](const std::string& file) { return place_of(file) != Place::archive; });
  return ordered;
}

void purge_files(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, Purged& purged) {
  for (const std::string& file : files_to_purge(vault, entries)) {
    const auto changed = change_file(vault, file, [&](std::string_view bytes) { return purged_bytes(file, bytes, target); });
    if (changed && *changed) purged.files.push_back(file);
    if (changed || changed.error().code == ErrorCode::not_found) continue;
    purged.notes.push_back(file + " could not be purged: " + changed.error().message);
    purged.complete = false;
  }
}

void purge_log(const Vault& vault, const std::string& file, const ChangeBytes& change, Purged& purged) {
  const auto changed = change_file(vault, file, change);
  if (changed && *changed) purged.files.push_back(file);
  if (changed || changed.error().code == ErrorCode::not_found) return;
  purged.notes.push_back(file + " still holds the text or its hash: " + changed.error().message);
  purged.complete = false;
}

void purge_logs(const Vault& vault, const std::vector<Entry>& entries, const PurgeTarget& target, const VaultLogs& logs,
                Purged& purged) {
  const auto removed = removed_log(vault).paths();
  if (!removed) {
    purged.notes.push_back("the copies of removed entries could not be purged: " + removed.error().message);
    purged.complete = false;
  }
  for (const std::string& file : removed.value_or(std::vector<std::string>()))
    purge_log(vault, file, [&](std::string_view bytes) { return purge_removed_entries(bytes, target); }, purged);
  for (const std::string& file : logs.files)
    purge_log(
        vault, file, [&](std::string_view bytes) { return purge_log_lines(bytes, entries, file.starts_with(".loci/ledger/")); },
        purged);
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
    if (Entry entry = entry_of(one); rests_on(entry, named)) add_unless_there(entries, std::move(entry));
  return {};
}

}  // namespace

Result<std::vector<Entry>> entries_to_purge(Memory& memory, const std::vector<std::string>& ids, const PurgeOptions& options) {
  std::vector<Entry> entries;
  const auto logs = TRY(read_logs(memory.vault()));
  for (const std::string& id : ids) {
    auto entry = find_entry_to_change(memory, id, true);
    if (!entry && entry.error().code == ErrorCode::not_found) entry = find_removed(memory.vault(), logs, id, entry.error());
    if (!entry) return std::unexpected(entry.error());
    look_behind_placeholder(*entry, logs);
    add_unless_there(entries, std::move(*entry));
  }
  if (options.everywhere) {
    for (const Entry& entry : std::vector<Entry>(entries)) {
      auto others = TRY(what_still_says(memory, entry.text));
      for (Entry& other : others) add_unless_there(entries, std::move(other));
    }
  }
  TRY(add_removed_relatives(memory.vault(), entries));
  TRY(add_relatives(memory, entries));
  for (Entry& entry : entries) look_behind_placeholder(entry, logs);
  return entries;
}

Result<Purged> purge(Memory& memory, const std::vector<Entry>& entries, const ProgressCallback& progress) {
  const Vault& vault = memory.vault();
  const auto logs = TRY(read_logs(vault));
  TRY(write_tombstones(vault, entries, logs));

  Purged purged;
  for (const Entry& entry : entries) purged.ids.push_back(entry.id);
  const PurgeTarget target = target_of(entries);
  TRY(release_other_facts(vault, entries, target, logs));
  purge_files(vault, entries, target, purged);
  purge_logs(vault, entries, target, logs, purged);
  purge_state_folder(vault, entries, target, purged);
  if (const auto rebuilt = memory.reindex(true, progress); !rebuilt) {
    purged.notes.push_back("the index still holds it: " + rebuilt.error().message + "; run 'loci reindex --clear'");
    purged.complete = false;
  }
  purged.still_in = files_that_still_hold(vault, entries);
  return purged;
}

}  // namespace loci
