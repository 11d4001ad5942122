#include "memory/forget.h"

#include <algorithm>
#include <set>

#include "memory/file_changes.h"
#include "memory/promoted_lines.h"
#include "memory/removed_entries.h"
#include "memory/still_says.h"
#include "memory/unfinished_changes.h"
#include "memory/vault_logs.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

bool contains(const std::vector<Entry>& entries, const std::string& id) {
  return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.id == id; });
}

// The entry's tombstone and those of every fact that it rests on.
Status add_tombstones(Memory& memory, const Entry& entry, const std::string& by, Instant at, std::vector<Tombstone>& out) {
  out.push_back({at, entry.id, entry.hash, Tombstone::Reason::deleted, by, {}});
  for (const std::string& fact : entry.from) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(fact, 1); }));
    const bool known = !found.empty() && found.front().id == fact;
    out.push_back({at, fact, known ? found.front().hash : std::string(), Tombstone::Reason::deleted, by, {}});
  }
  return {};
}

Result<std::vector<Entry>> entries_of(Memory& memory, const std::vector<std::string>& ids) {
  std::vector<Entry> entries;
  for (const std::string& id : ids) {
    // One that is forgotten already is looked at again: a crash may have left its text in a file.
    auto entry = TRY(find_entry_to_change(memory, id, true));
    if (is_purged(entry.text)) return fail(ErrorCode::not_found, "'" + entry.id + "' was purged: there is nothing left to forget");
    if (!contains(entries, entry.id)) entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::vector<Entry>> all_that_still_say(Memory& memory, const std::vector<Entry>& forgotten) {
  std::vector<Entry> all;
  for (const Entry& entry : forgotten) {
    auto others = TRY(what_still_says(memory, entry.text));
    for (Entry& other : others)
      if (!contains(forgotten, other.id) && !contains(all, other.id) && other.hash != entry.hash) all.push_back(std::move(other));
  }
  return all;
}

std::unexpected<Error> already_forgotten(const Entry& entry) {
  return fail(ErrorCode::not_found, "'" + entry.id + "' was deleted or corrected already",
              "'loci show' tells by whom; 'loci restore' takes it back");
}

// The consolidated entries that a fact went into: they are inactive with it, and the core must not show them.
std::vector<std::string> entries_made_of(const VaultLogs& logs, const std::string& fact) {
  std::vector<std::string> ids;
  for (const LedgerEntry& line : logs.ledger) {
    if (line.fact != fact) continue;
    for (const std::string& id : {line.entry, line.into})
      if (!id.empty() && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

// Inactive through the tombstone of another id: without one of its own nothing could bring it back once its text has gone.
bool needs_tombstone(const VaultLogs& logs, const Entry& entry) {
  const Tombstone* own = state_of(logs, entry.id);
  return (!own || !removes(*own)) && (entry.place == Place::consolidated || entry.place == Place::user);
}

// Ids that went together: the tombstones of one command have one time.
std::vector<Tombstone> removed_together(const VaultLogs& logs, const Tombstone& tombstone) {
  std::vector<Tombstone> together;
  for (const Tombstone& other : logs.tombstones) {
    const bool same_command = other.at == tombstone.at && other.by == tombstone.by;
    const bool same_text = !tombstone.text_hash.empty() && other.text_hash == tombstone.text_hash;
    const Tombstone* state = state_of(logs, other.id);
    if ((same_command || same_text) && state && removes(*state) && state->at == other.at) together.push_back(other);
  }
  return together;
}

Result<const Tombstone*> tombstone_to_take_back(const VaultLogs& logs, const std::string& id_or_prefix) {
  std::set<std::string> candidates;
  for (const Tombstone& tombstone : logs.tombstones)
    if (tombstone.id == id_or_prefix) candidates = {tombstone.id};
  if (candidates.empty())
    for (const Tombstone& tombstone : logs.tombstones)
      if (tombstone.id.starts_with(id_or_prefix)) candidates.insert(tombstone.id);
  if (candidates.empty())
    return fail(ErrorCode::not_found, "nothing was forgotten under the id '" + id_or_prefix + "'",
                "'loci list --inactive' shows what was");
  if (candidates.size() > 1) {
    std::string list;
    for (const std::string& id : candidates) list += (list.empty() ? "" : ", ") + id;
    return fail(ErrorCode::usage, "several ids start with '" + id_or_prefix + "'", "write more of it: " + list);
  }
  const Tombstone* state = state_of(logs, *candidates.begin());
  if (!state || !removes(*state)) return fail(ErrorCode::refused, "'" + *candidates.begin() + "' is not forgotten");
  return state;
}

Result<std::optional<Entry>> entry_in_files(Memory& memory, const std::string& id) {
  TRY(memory.bring_up_to_date());
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (found.empty() || found.front().id != id) return std::nullopt;
  return std::move(found.front());
}

// What was put back before another text found no place is still forgotten.
void take_out_again(const Vault& vault, Restored& restored) {
  for (const std::string& id : restored.ids)
    if (const auto removed = find_removed_entry(vault, id); removed && *removed)
      take_out_of_files(vault, entry_of(**removed), restored.files, restored.notes);
}

// Puts back into their files the texts of all that `restored` names. ErrorCode::refused if that of `wanted` stands nowhere, and if
// any text that was kept finds no place.
Status put_back(Memory& memory, const std::string& wanted, Restored& restored) {
  const auto standing = TRY(entry_in_files(memory, wanted));
  if (standing && is_purged(standing->text))
    return fail(ErrorCode::refused, "'" + wanted + "' was purged: there is nothing left to restore");
  for (const std::string& id : restored.ids) {
    const auto put = put_back_into_files(memory.vault(), id, restored.files);
    if (!put) {
      take_out_again(memory.vault(), restored);
      return fail(ErrorCode::refused, "'" + id + "' could not be put back: " + put.error().message,
                  put.error().hint.empty() ? "nothing was restored: make room and try again" : put.error().hint);
    }
    if (*put || standing || id != wanted) continue;
    // An id made of a text's hash is a text that may be said again, wherever it stands next.
    if (!id.starts_with("h-"))
      return fail(ErrorCode::refused, "the text of '" + id + "' stands nowhere any more: nothing was restored");
    restored.notes.emplace_back("no file says this any more; what says it from now on counts");
  }
  return {};
}

}  // namespace

Result<Entry> find_entry_to_change(Memory& memory, const std::string& id_or_prefix, bool inactive) {
  (void)finish_unfinished_changes(memory);  // what cannot be finished now stays noted
  const auto freshness = TRY(memory.bring_up_to_date());
  auto entry = find_entry(memory, id_or_prefix, inactive);
  if (entry || entry.error().code != ErrorCode::not_found || freshness.fresh()) return entry;
  TRY(memory.take_in({}));
  return find_entry(memory, id_or_prefix, inactive);
}

Result<Forgotten> forget(Memory& memory, const std::vector<std::string>& ids, const ForgetOptions& options) {
  auto entries = TRY(entries_of(memory, ids));
  auto others = TRY(all_that_still_say(memory, entries));
  if (options.everywhere) std::ranges::move(std::exchange(others, {}), std::back_inserter(entries));

  const auto logs = TRY(read_logs(memory.vault()));
  Instant at = next_tombstone_time(memory.vault(), logs);
  std::vector<Tombstone> tombstones;
  for (const Entry& entry : entries) {
    if (!entry.active && !needs_tombstone(logs, entry)) continue;
    TRY(add_tombstones(memory, entry, options.by, at, tombstones));
    at += std::chrono::milliseconds(1);  // what `restore` takes back together has one time
  }
  TRY(append_tombstones(memory.vault(), tombstones));

  Forgotten forgotten{std::move(entries), std::move(others), {}, {}, {}};
  for (const Entry& entry : forgotten.entries) {
    take_out_of_files(memory.vault(), entry, forgotten.files, forgotten.notes);
    for (const std::string& shown : entries_made_of(logs, entry.id))
      take_out_of_core(memory.vault(), shown, forgotten.files, forgotten.notes);
  }
  if (tombstones.empty() && forgotten.files.empty()) return already_forgotten(forgotten.entries.front());
  forgotten.searchable = make_searchable(memory, forgotten.files);
  bring_lines_in_step(memory, {}, forgotten.files, forgotten.notes);
  return forgotten;
}

Result<Restored> restore(Memory& memory, const std::string& id) {
  (void)finish_unfinished_changes(memory);
  const auto logs = TRY(read_logs(memory.vault()));
  const auto state = TRY(tombstone_to_take_back(logs, id));
  const Tombstone wanted = *state;
  const Instant at = next_tombstone_time(memory.vault(), logs);
  Restored restored;
  std::vector<Tombstone> lines;
  for (const Tombstone& tombstone : removed_together(logs, wanted)) {
    if (std::ranges::find(restored.ids, tombstone.id) != restored.ids.end()) continue;
    lines.push_back({at, tombstone.id, tombstone.text_hash, Tombstone::Reason::restored, "user", {}});
    restored.ids.push_back(tombstone.id);
  }
  // The text comes first: a tombstone that is taken back without it could never be taken back again.
  TRY(put_back(memory, wanted.id, restored));
  TRY(append_tombstones(memory.vault(), lines));
  restored.searchable = make_searchable(memory, restored.files);
  bring_lines_in_step(memory, {}, restored.files, restored.notes);
  return restored;
}

}  // namespace loci
