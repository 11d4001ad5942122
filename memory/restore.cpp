#include "memory/restore.h"

#include <algorithm>
#include <set>

#include "memory/file_changes.h"
#include "memory/promoted_lines.h"
#include "memory/removed_entries.h"
#include "memory/unfinished_changes.h"
#include "vault/logs/chronicle.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// Ids that went together: the tombstones of one command have one time.
std::vector<Tombstone> removed_together(const Chronicle& chronicle, const Tombstone& tombstone) {
  std::vector<Tombstone> together;
  for (const std::string& id : chronicle.removed_ids()) {
    const Tombstone& other = *chronicle.tombstone_of(id);
    const bool same_command = other.at == tombstone.at && other.by == tombstone.by;
    const bool same_text = ends_its_text(other) && other.text_hash == tombstone.text_hash;
    if (same_command || same_text) together.push_back(other);
  }
  return together;
}

Result<const Tombstone*> tombstone_to_take_back(const Chronicle& chronicle, const std::string& id_or_prefix) {
  std::set<std::string> candidates;
  for (const Tombstone& tombstone : chronicle.logs().tombstones)
    if (tombstone.id.starts_with(id_or_prefix)) candidates.insert(tombstone.id);
  if (candidates.contains(id_or_prefix)) candidates = {id_or_prefix};
  if (candidates.empty())
    return fail(ErrorCode::not_found, "nothing was forgotten under the id '" + id_or_prefix + "'",
                "'loci list --inactive' shows what was");
  if (candidates.size() > 1) {
    std::string list;
    for (const std::string& id : candidates) list += (list.empty() ? "" : ", ") + id;
    return fail(ErrorCode::usage, "several ids start with '" + id_or_prefix + "'", "write more of it: " + list);
  }
  const Fate fate = chronicle.fate_of(*candidates.begin());
  if (!fate.is_removed()) return fail(ErrorCode::refused, "'" + *candidates.begin() + "' is not forgotten");
  return fate.tombstone;
}

Result<std::optional<Entry>> entry_in_files(Memory& memory, const std::string& id) {
  TRY(memory.bring_up_to_date());
  auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
  if (found.empty() || found.front().id != id) return std::nullopt;
  return std::move(found.front());
}

// What was put back before another text found no place is still forgotten.
void take_out_again(const Vault& vault, Restored& restored) {
  DecidedChanges changes(vault);
  for (const std::string& id : restored.ids)
    if (const auto removed = find_removed_entry(vault, id); removed && *removed) changes.take_out(entry_of(**removed));
  (void)changes.carry_out({}, {}, restored.files, restored.notes);
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

Result<Restored> restore(Memory& memory, const std::string& id) {
  (void)finish_unfinished_changes(memory);
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  const Tombstone& wanted = *TRY(tombstone_to_take_back(chronicle, id));
  const Instant at = next_tombstone_time(memory.vault(), chronicle.logs());
  Restored restored;
  std::vector<Tombstone> lines;
  for (const Tombstone& tombstone : removed_together(chronicle, wanted)) {
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
