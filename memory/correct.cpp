#include "memory/correct.h"

#include <algorithm>

#include "base/hash.h"
#include "memory/file_changes.h"
#include "memory/forget.h"
#include "memory/promoted_lines.h"
#include "memory/removed_entries.h"
#include "memory/vault_logs.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr size_t consolidated_id_digits = 20;

std::string hash_of(const std::string& text) { return stored_text_hash(text); }

// Where and what an entry is about goes on in its successor; who said it and when does not.
Metadata inherited(const Entry& entry) {
  Metadata metadata;
  metadata.project = entry.project;
  metadata.task = entry.task;
  metadata.tags = entry.tags;
  metadata.category = entry.category;
  metadata.about = entry.about;
  metadata.session = entry.session;
  metadata.turn = entry.turn;
  return metadata;
}

std::unexpected<Error> refuse_by_hand(const Entry& entry) {
  const EntryPlace& place = entry.places.front();
  Error error{ErrorCode::refused, place.file + " is yours: loci does not write into it",
              "edit " + place.file + ":" + std::to_string(place.line) + " yourself, or use 'loci correct'"};
  error.file = place.file;
  error.line = place.line;
  return std::unexpected(std::move(error));
}

bool is_consolidated_entry(const Entry& entry) { return entry.place == Place::consolidated && entry.has_metadata; }

void locate(Memory& memory, Corrected& corrected) {
  if (!corrected.searchable.yes) return;
  const auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(corrected.id, 1); });
  if (!found || found->empty() || found->front().places.empty()) return;
  corrected.file = found->front().places.front().file;
  corrected.line = found->front().places.front().line;
}

// C' of C: made of the one right fact.
Metadata successor_metadata(const Entry& old, const Appended& fact, const Author& author) {
  Metadata metadata = inherited(old);
  metadata.session.clear();
  metadata.turn.reset();
  metadata.id = "c-" + hex(as_bytes(sha256(fact.id)), consolidated_id_digits);
  metadata.source = author.source;
  metadata.first_seen = old.first_seen;
  metadata.updated = utc_date(fact.at);
  metadata.sources = {utc_date(fact.at)};
  metadata.from = {fact.id};
  return metadata;
}

LedgerEntry settled_by(const VaultLogs& logs, const Appended& fact, const Metadata& successor) {
  LedgerEntry line;
  line.generation = 1;
  for (const LedgerEntry& known : logs.ledger) line.generation = std::max(line.generation, known.generation);
  line.run = "correct-" + fact.id;
  line.at = fact.at;
  line.fact = fact.id;
  line.fact_hash = fact.hash;
  line.outcome = LedgerEntry::Outcome::replaced;
  line.entry = successor.id;
  line.entry_hash = fact.hash;
  return line;
}

// Keeps the old version for `restore`, then puts the new one in its place.
Result<std::string> with_successor(const Vault& vault, const Entry& old, std::string_view bytes, const Metadata& metadata,
                                   const std::string& text) {
  const ParsedFile parsed = parse(bytes);
  const auto entry = std::ranges::find(parsed.entries, old.id, &ParsedEntry::id);
  if (entry == parsed.entries.end()) return fail(ErrorCode::not_found, "'" + old.id + "' is no longer there");
  const std::string markdown(bytes.substr(entry->begin, entry->end - entry->begin));
  if (auto kept = keep_removed_entry(vault, {{}, old.id, old.places.front().file, markdown}); !kept)
    return std::unexpected(kept.error());
  return replace_entry(bytes, old.id, metadata, text);
}

// The facts that a consolidated entry rests on are wrong with it.
Status add_tombstones_of_facts(Memory& memory, const Entry& old, const Author& author, const Appended& fact, Instant at,
                               std::vector<Tombstone>& tombstones) {
  for (const std::string& id : old.from) {
    const auto found = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); }));
    const bool known = !found.empty() && found.front().id == id;
    std::string hash = known ? found.front().hash : std::string();
    if (hash == fact.hash) hash.clear();  // as in replace_in_archive
    tombstones.push_back({at, id, std::move(hash), Tombstone::Reason::corrected, author.by, fact.id});
  }
  return {};
}

// The archive only grows, so the new text cannot be taken back when the old one cannot be retired.
std::unexpected<Error> old_one_may_stay(Error error, const Entry& old, const Appended& stored) {
  error.message += "; the new text is stored as " + stored.id + ", and '" + old.id + "' may still stand beside it";
  error.hint = "mend that, then complete it with 'loci forget " + old.id + "'";
  return std::unexpected(std::move(error));
}

Result<Corrected> correct_consolidated(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const Vault& vault = memory.vault();
  Metadata fact_metadata = inherited(old);
  fact_metadata.source = author.source;
  fact_metadata.corrects = old.id;
  const auto appended = TRY(append_entries(vault, {NewEntry{std::move(fact_metadata), text}}));
  const Appended& fact = appended.front();
  const Metadata successor = successor_metadata(old, fact, author);

  const auto logs = read_logs(vault);
  if (!logs) return old_one_may_stay(logs.error(), old, fact);
  const Instant at = next_tombstone_time(vault, *logs);
  std::vector<Tombstone> tombstones{{at, old.id, old.hash, Tombstone::Reason::corrected, author.by, successor.id}};
  if (auto added = add_tombstones_of_facts(memory, old, author, fact, at, tombstones); !added)
    return old_one_may_stay(added.error(), old, fact);
  if (auto written = append_tombstones(vault, tombstones); !written) return old_one_may_stay(written.error(), old, fact);

  Corrected corrected{fact.id, fact.file, fact.line, {}, {}, {}, {}};
  for (const Tombstone& tombstone : tombstones) corrected.replaced.push_back(tombstone.id);
  const std::string& file = old.places.front().file;
  const auto changed =
      change_file(vault, file, [&](std::string_view bytes) { return with_successor(vault, old, bytes, successor, text); });
  if (changed) {
    corrected.id = successor.id;
    corrected.files.push_back(file);
    if (auto written = append_ledger(vault, {settled_by(*logs, fact, successor)}); !written)
      return std::unexpected(written.error());
  } else {
    corrected.notes.push_back("the wrong text still stands in " + file + ": " + changed.error().message);
  }
  auto written = corrected.files;
  written.push_back(fact.file);
  corrected.searchable = make_searchable(memory, written);
  if (!corrected.searchable.yes) take_out_of_core(vault, old.id, corrected.files, corrected.notes);  // what is wrong goes at once
  bring_lines_in_step(memory, {}, corrected.files, corrected.notes);
  locate(memory, corrected);
  return corrected;
}

// user.md is in every prompt: the wrong text must go from the file itself, and its hash suppresses it elsewhere.
Result<Corrected> correct_user_file(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const Vault& vault = memory.vault();
  auto id = TRY(update_in_user_file(vault, old.id, text));
  const auto logs = TRY(read_logs(vault));
  const std::string wrong = id_from_hash(old.hash);
  const Tombstone tombstone{next_tombstone_time(vault, logs), wrong, old.hash, Tombstone::Reason::corrected, author.by, id};
  TRY(append_tombstones(vault, {tombstone}));
  Corrected corrected{id, user_file_name, 0, {wrong}, {user_file_name}, {}, {}};
  corrected.searchable = make_searchable(memory, {user_file_name});
  locate(memory, corrected);
  return corrected;
}

void note_what_stays(const Entry& old, std::vector<std::string>& notes) {
  for (const EntryPlace& place : old.places) {
    const Place kind = place_of(place.file);
    if (kind == Place::archive) continue;
    notes.push_back("the wrong text still stands in " + place.file + ":" + std::to_string(place.line) +
                    ", which is yours to edit; it is not found any more");
  }
}

Result<Corrected> edit_in_place(Memory& memory, const Entry& old, const Edit& change) {
  const Vault& vault = memory.vault();
  const std::string& file = old.places.front().file;
  TRY(change_file(vault, file, [&](std::string_view before) -> Result<std::string> {
    std::string bytes(before);
    if (change.text) {
      auto after = TRY(replace_entry_text(bytes, old.id, *change.text, KeepSum::yes));
      bytes = std::move(after);
    }
    return change.tags ? set_entry_tags(bytes, old.id, *change.tags) : Result<std::string>(std::move(bytes));
  }));
  Corrected corrected{old.id, file, old.places.front().line, {}, {file}, {}, {}};
  corrected.searchable = make_searchable(memory, corrected.files);
  bring_lines_in_step(memory, {.changed = {old.id}}, corrected.files, corrected.notes);
  locate(memory, corrected);
  return corrected;
}

Result<Corrected> edit_user_file(Memory& memory, const Entry& old, const Edit& change) {
  std::string id = old.id;
  if (change.text) {
    auto updated = TRY(update_in_user_file(memory.vault(), old.id, *change.text));
    id = std::move(updated);
  }
  if (change.tags) {
    TRY(change_file(memory.vault(), user_file_name,
                    [&](std::string_view bytes) { return set_entry_tags(bytes, id, *change.tags); }));
  }
  Corrected corrected{id, user_file_name, old.places.front().line, {}, {user_file_name}, {}, {}};
  corrected.searchable = make_searchable(memory, corrected.files);
  locate(memory, corrected);
  return corrected;
}

}  // namespace

Result<Corrected> replace_in_archive(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  const Vault& vault = memory.vault();
  Metadata metadata = inherited(old);
  metadata.kind = old.kind;
  metadata.role = old.role;
  metadata.confidence = old.confidence;
  metadata.source = author.source;
  metadata.corrects = old.id;
  if (change.tags) metadata.tags = *change.tags;
  const std::string text = change.text.value_or(old.text);
  const auto appended = TRY(append_entries(vault, {NewEntry{std::move(metadata), text}}));
  const Appended& entry = appended.front();

  const auto logs = read_logs(vault);
  if (!logs) return old_one_may_stay(logs.error(), old, entry);
  // A tombstone with the hash of a text that is still true would suppress the new version as well.
  const std::string wrong_hash = entry.hash == old.hash ? std::string() : old.hash;
  const Tombstone tombstone{next_tombstone_time(vault, *logs), old.id,    wrong_hash,
                            Tombstone::Reason::corrected,      author.by, entry.id};
  if (auto written = append_tombstones(vault, {tombstone}); !written) return old_one_may_stay(written.error(), old, entry);

  Corrected corrected{entry.id, entry.file, entry.line, {old.id}, {}, {}, {}};
  note_what_stays(old, corrected.notes);
  corrected.searchable = make_searchable(memory, {entry.file});
  bring_lines_in_step(memory, {}, corrected.files, corrected.notes);
  return corrected;
}

Result<Corrected> correct(Memory& memory, const std::string& id_or_prefix, const std::string& text, const Author& author) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  if (hash_of(text) == old.hash) return fail(ErrorCode::refused, "'" + old.id + "' says exactly that already");
  if (is_consolidated_entry(old)) return correct_consolidated(memory, old, text, author);
  if (old.place == Place::user) return correct_user_file(memory, old, text, author);
  Entry as_fact = old;  // what corrects a turn is a fact, not something that was said in it
  as_fact.kind = EntryKind::fact;
  as_fact.role.clear();
  as_fact.confidence.reset();
  return replace_in_archive(memory, as_fact, Edit{text, std::nullopt}, author);
}

Edit what_differs(const Entry& entry, Edit change) {
  if (change.text && hash_of(*change.text) == entry.hash) change.text.reset();
  if (change.tags && *change.tags == entry.tags) change.tags.reset();
  return change;
}

Result<Corrected> edit(Memory& memory, const std::string& id_or_prefix, const Edit& change) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  const Edit wanted = what_differs(old, change);
  if (!wanted.text && !wanted.tags) return fail(ErrorCode::refused, "'" + old.id + "' says exactly that already");
  if (is_consolidated_entry(old)) return edit_in_place(memory, old, wanted);
  if (old.place == Place::user) return edit_user_file(memory, old, wanted);
  if (old.place != Place::archive) return refuse_by_hand(old);
  // New tags do not change who said it.
  return replace_in_archive(memory, old, wanted, Author{wanted.text ? Source::user : old.source, "user"});
}

}  // namespace loci
