// Answers about one entry: it stands although it was deleted, or is out of its file and perhaps was not meant to be.
#include <algorithm>

#include "edits/act_log.h"
#include "edits/doubtful.h"
#include "edits/ended_elsewhere.h"
#include "edits/resolve.h"
#include "edits/take_back.h"
#include "edits/understand.h"
#include "memory/file_changes.h"
#include "memory/restore.h"
#include "parser/entry_back.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

// In the place of the line of user.md that it had replaced; that one alone goes if nobody knows the correction any more.
Result<bool> put_correction_back(Memory& memory, const AfterForget& wrong, const Tombstone& end) {
  const Vault& vault = memory.vault();
  std::string correction;
  for (const Version& version : TRY(versions_of(vault, wrong.file))) {
    const std::string bytes = TRY(bytes_of(vault, wrong.file, version)).value_or(std::string());
    for (const ParsedEntry& entry : parse(bytes).entries)
      if (entry.id == end.superseded_by) correction = bytes.substr(entry.begin, entry.end - entry.begin);
  }
  return change_file(vault, wrong.file, [&](std::string_view bytes) -> Result<std::string> {
    const ParsedFile now = parse(bytes);
    const bool stands = std::ranges::find(now.entries, end.superseded_by, &ParsedEntry::id) != now.entries.end();
    return correction.empty() || stands ? remove_entry(bytes, wrong.id) : with_entry_instead_of(bytes, wrong.id, correction);
  });
}

Result<Resolved> answer_doubt(Memory& memory, const Act& act, bool keep) {
  Resolved resolved{act.file, {}, {}, {}, {}, false, {}};
  if (!keep && is_of_words(act)) {
    TRY(take_words_out(memory.vault(), act));
    resolved.rewritten = true;
    resolved.searchable = make_searchable(memory, {act.file});
  } else if (!keep) {
    resolved.rewritten = !TRY(take_back(memory, act.id)).files.empty();
  }
  if (keep) TRY(note_that_it_was_meant(memory.vault(), act));
  return resolved;
}

}  // namespace

Result<Resolved> answer_about_entry(Memory& memory, const std::string& id, bool keep) {
  auto acts = TRY(doubtful_acts(memory.vault()));
  const auto is_asked = [&](const Act& act) { return id_in_question(memory.vault(), act) == id; };
  if (const auto act = std::ranges::find_if(acts, is_asked); act != acts.end()) return answer_doubt(memory, *act, keep);
  TRY(memory.catch_up_with_changes());
  const auto standing = TRY(after_forget(memory));
  const auto found = std::ranges::find(standing, id, &AfterForget::id);
  if (found == standing.end()) return std::unexpected(nothing_asked(id));
  Resolved resolved{found->file, {}, {}, {}, {}, false, {}};
  const auto entry = TRY(find_entry(memory, id, true));
  const auto logs = TRY(Chronicle::read(memory.vault()));
  const Instant at = next_tombstone_time(memory.vault(), logs.logs());
  std::vector<std::string> files{found->file}, notes;
  if (!keep && found->corrected) {
    resolved.rewritten = TRY(put_correction_back(memory, *found, *logs.tombstone_of(id)));
    resolved.searchable = make_searchable(memory, files);
    return resolved;
  }
  const bool is_own_line = place_of(found->file) == Place::core;  // what was deleted is another entry, and stays so
  if (keep && !found->rests && !found->edited && logs.is_removed(id) && !is_own_line) {
    TRY(restore(memory, id));
  } else {
    std::vector<Tombstone> lines;
    const bool says_so = std::ranges::any_of(entry.from, [&](const std::string& fact) { return logs.is_removed(fact); });
    if (!keep || !found->rests || !says_so)
      lines.push_back({at, id, entry.hash, keep ? Tombstone::Reason::restored : Tombstone::Reason::deleted, "user", {}});
    DecidedChanges changes(memory.vault());
    if (keep)
      TRY(changes.change(entry.places.front().file,
                         [&](std::string_view bytes) { return resting_on_what_stands(bytes, id, entry.from, logs); }));
    if (!keep && is_own_line)
      TRY(changes.change(found->file, [&](std::string_view bytes) { return remove_entry(bytes, id); }));
    else if (!keep)
      changes.take_out(entry);
    resolved.rewritten = changes.changes_files();
    TRY(changes.carry_out(lines, {}, files, notes));
  }
  if (!keep) {
    resolved.deleted.push_back(id);
    TRY(note_that_all_were_meant(memory.vault(), id));  // how it went before is no question any more
  }
  resolved.searchable = make_searchable(memory, files);
  return resolved;
}

}  // namespace loci
