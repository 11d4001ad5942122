#include "edits/take_back.h"

#include <algorithm>

#include "edits/answers.h"
#include "edits/understand.h"
#include "memory/add.h"
#include "memory/file_changes.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "memory/restore.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/conflict_file.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

Result<Act> find_act(const Vault& vault, const std::string& prefix) {
  const auto acts = TRY(acts_of(vault));
  std::vector<const Act*> found;
  for (const Act& act : acts)
    if (act.id.starts_with(prefix)) found.push_back(&act);
  if (found.empty()) return fail(ErrorCode::not_found, "no act has the id '" + prefix + "'", "'loci log --edits' lists them");
  if (found.size() > 1)
    return fail(ErrorCode::usage, "several acts have an id that starts with '" + prefix + "'", "write more of it");
  return *found.front();
}

Result<std::string> version_bytes(const Vault& vault, const Act& act, const std::string& hash) {
  auto bytes = TRY(bytes_of(vault, act.file, Version{Version::Kind::understood, hash, 0, {}}));
  if (!bytes) return fail(ErrorCode::refused, "the version of " + act.file + " that it was made from is no longer kept");
  return std::move(*bytes);
}

// The entry as it stood in the version that it was made from.
Result<ParsedEntry> entry_before(std::string_view bytes, const Act& act) {
  for (ParsedEntry& entry : parse(bytes).entries)
    if (entry.id == act.entry) return std::move(entry);
  return fail(ErrorCode::refused, "'" + act.entry + "' is not in the version of " + act.file + " that is kept");
}

Status put_entry_back(const Vault& vault, const Act& act, std::vector<std::string>& files) {
  const auto bytes = TRY(version_bytes(vault, act, act.made_from));
  const auto entry = TRY(entry_before(bytes, act));
  TRY(keep_removed_entry(vault, {{}, act.entry, act.file, bytes.substr(entry.begin, entry.end - entry.begin)}));
  TRY(put_back_into_files(vault, act.entry, files));
  return {};
}

// Its facts are its own again.
Status part_entries(const Vault& vault, const Act& act) {
  const auto logs = TRY(Chronicle::read(vault));
  std::vector<LedgerEntry> lines;
  for (const LedgerEntry* merged : logs.lines_of_run(act.id)) {
    LedgerEntry& line = lines.emplace_back(*merged);
    line.at = next_ledger_time(vault, logs);
    line.outcome = LedgerEntry::Outcome::added;
    line.entry_hash = act.hash_before;
    line.into.clear();
  }
  return append_ledger(vault, lines);
}

Status put_text_back(const Vault& vault, const Act& act, std::vector<std::string>& files) {
  const auto bytes = TRY(version_bytes(vault, act, act.made_from));
  const auto entry = TRY(entry_before(bytes, act));
  TRY(change_file(vault, act.file, [&](std::string_view now) { return replace_entry_text(now, act.entry, entry.text); }));
  files.push_back(act.file);
  return {};
}

// As after every other change of an entry, its line in the core says what it says.
void follow_in_core(Memory& memory, std::vector<std::string>& files) {
  const auto followed = follow_entries_in_core(memory);  // what cannot be had now the next command does
  const bool is_told = std::ranges::find(files, core_file_name) != files.end();
  if (followed && *followed && !is_told) files.emplace_back(core_file_name);
}

// The line stands again, if there is room for it: otherwise the next run may show it.
Result<std::vector<std::string>> show_again(Memory& memory, const Act& act) {
  const Vault& vault = memory.vault();
  const auto logs = TRY(Chronicle::read(vault));
  // One tombstone would lift both ends, and bring back neither its text nor its facts.
  if (logs.is_removed(act.entry))
    return fail(ErrorCode::refused, "the entry that the line showed has ended since",
                "'loci restore " + act.entry + "' comes first");
  if (act.outcome == "demoted") {
    TRY(append_tombstones(
        vault, {{next_tombstone_time(vault, logs.logs()), act.entry, act.hash_before, Tombstone::Reason::restored, "user", {}}}));
  }
  const auto changed = TRY(bring_lines_in_step(memory, {.back = {act.entry}}));
  return changed ? std::vector<std::string>{core_file_name} : std::vector<std::string>();
}

}  // namespace

Result<TakenBack> take_back(Memory& memory, const std::string& act_or_prefix) {
  const Vault& vault = memory.vault();
  TakenBack back{TRY(find_act(vault, act_or_prefix)), {}};
  const Act& act = back.act;
  if (act.what == answered && act.outcome != "taken back") {
    back.files = TRY(take_back_answer(memory, act));
  } else if (act.outcome == "deleted" || act.outcome == "corrected") {
    back.files = TRY(restore(memory, act.entry)).files;
  } else if (act.file == core_file_name && (act.outcome == "demoted" || act.outcome == "waits")) {
    back.files = TRY(show_again(memory, act));
  } else if ((act.outcome == "waits" || act.outcome == "merged" || act.outcome == taken_out) && act.file != core_file_name) {
    TRY(put_entry_back(vault, act, back.files));
    if (act.outcome == "merged") TRY(part_entries(vault, act));
  } else if (act.outcome == "theirs" && act.file != core_file_name) {
    TRY(put_text_back(vault, act, back.files));
  } else if (act.outcome == "put back") {
    const auto saved = TRY(version_bytes(vault, act, act.hash_after));
    back.files.push_back(TRY(write_conflict_file(vault, saved, act.file)));
  } else {
    return fail(ErrorCode::refused, "nothing that came of '" + act.id + "' can be taken back (" + act.outcome + ")",
                "'loci resolve' answers what is asked; edit " + act.file + " by hand");
  }
  TRY(log_outcome(vault, act.id, "taken back"));
  (void)make_searchable(memory, back.files);
  if (act.what != answered && place_of(act.file) == Place::consolidated) follow_in_core(memory, back.files);
  return back;
}

}  // namespace loci
