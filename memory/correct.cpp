#include "memory/correct.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/id.h"
#include "memory/agents_changes.h"
#include "memory/file_changes.h"
#include "memory/forget.h"
#include "memory/leftovers.h"
#include "memory/may_send.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
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

LedgerEntry settled_by(const Vault& vault, const Chronicle& chronicle, const Appended& fact, const Metadata& successor) {
  LedgerEntry line;
  line.generation = std::max<std::int64_t>(chronicle.generation(), 1);
  line.run = "correct-" + fact.id;
  line.at = next_ledger_time(vault, chronicle);
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

// A tombstone with the hash of a text that is still true would suppress the new version as well.
Tombstone retired(const Entry& old, const std::string& text, Instant at, const Author& author, std::string superseded_by) {
  Tombstone tombstone = tombstone_for(old, Tombstone::Reason::corrected, at, author.by, std::move(superseded_by));
  if (normalise_loosely(old.text) == normalise_loosely(text)) tombstone.text_hash = tombstone.loose = {};
  return tombstone;
}

// The facts that a consolidated entry rests on are wrong with it.
Status add_tombstones_of_facts(Memory& memory, const Chronicle& chronicle, const Entry& old, const Author& author,
                               const std::string& text, const Appended& fact, Instant at, std::vector<Tombstone>& tombstones) {
  for (const std::string& id : TRY(facts_of_entry(memory, chronicle, old))) {
    const auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
    if (!found) return std::unexpected(found.error());
    const bool known = !found->empty() && found->front().id == id;
    tombstones.push_back(known ? retired(found->front(), text, at, author, fact.id)
                               : Tombstone{at, id, {}, Tombstone::Reason::corrected, author.by, fact.id});
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

  const auto chronicle = Chronicle::read(vault);
  if (!chronicle) return old_one_may_stay(chronicle.error(), old, fact);
  const Instant at = next_tombstone_time(vault, chronicle->logs());
  std::vector<Tombstone> tombstones{retired(old, text, at, author, successor.id)};
  if (auto added = add_tombstones_of_facts(memory, *chronicle, old, author, text, fact, at, tombstones); !added)
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
    take_out_copies(vault, old, corrected.files, corrected.notes);
    if (auto written = append_ledger(vault, {settled_by(vault, *chronicle, fact, successor)}); !written)
      return std::unexpected(written.error());
  } else {
    leave(vault, old.id, "the wrong text still stands in " + file, changed.error(), corrected.notes);
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
Result<Corrected> bury_in_user_file(Memory& memory, const Entry& old, const std::string& text, const std::string& buried,
                                    const std::string& id, const Author& author) {
  const Vault& vault = memory.vault();
  const auto logs = TRY(read_logs(vault));
  Tombstone tombstone = retired(old, text, next_tombstone_time(vault, logs), author, id);
  tombstone.id = buried;
  TRY(append_tombstones(vault, {tombstone}));
  Corrected corrected{id, user_file_name, 0, {buried}, {user_file_name}, {}, {}};
  corrected.searchable = make_searchable(memory, {user_file_name});
  locate(memory, corrected);
  return corrected;
}

Result<Corrected> correct_user_file(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const auto id = TRY(update_in_user_file(memory.vault(), old.id, text));
  return bury_in_user_file(memory, old, text, id_from_hash(old.hash), id, author);
}

// An agent's words in the place of what stood in user.md: metadata says whose they are, and the old line can be restored.
Result<Corrected> supersede_in_user_file(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  const Vault& vault = memory.vault();
  Metadata metadata = inherited(old);
  metadata.id = make_id(memory.now());
  metadata.source = author.source;
  metadata.corrects = old.id;
  if (change.tags) metadata.tags = *change.tags;
  TRY(edit_user_file(vault, [&](const std::string& bytes) { return with_successor(vault, old, bytes, metadata, *change.text); }));
  return bury_in_user_file(memory, old, *change.text, old.id, metadata.id, author);
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

Result<Corrected> edit_line_of_user_file(Memory& memory, const Entry& old, const Edit& change) {
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

// The new version of a fact takes over what loci had made of the old one: the first of those entries says the new text from now on,
// others go, and what else they rested on is pending again.
class Succession {
 public:
  Succession(Memory& memory, const Chronicle& chronicle, const Entry& old, const Appended& fact, const std::string& text,
             const Author& author)
      : memory_(memory), chronicle_(chronicle), old_(old), fact_(fact), text_(text), author_(author) {}

  Status retire(const FoldedEntries& folded) {
    const Instant at = next_tombstone_time(memory_.vault(), chronicle_.logs());
    std::vector<Tombstone> tombstones{retired(old_, text_, at, author_, fact_.id)};
    for (const auto* entries : {&folded.gone, &folded.apart})
      for (const Entry& entry : *entries) {
        if (!home_) home_ = entry;
        if (!chronicle_.is_removed(entry.id)) tombstones.push_back(retired(entry, text_, at, author_, successor().id));
      }
    TRY(append_tombstones(memory_.vault(), tombstones));
    for (const Tombstone& tombstone : tombstones) replaced_.push_back(tombstone.id);
    const auto lines = TRY(lines_that_let_go(memory_, chronicle_, folded.apart, settled_with_old(), "correct-" + fact_.id,
                                             "a fact that it rested on was corrected"));
    return append_ledger(memory_.vault(), lines);
  }

  const std::vector<std::string>& replaced() const { return replaced_; }

  // The text is the same: what was made of it stays, and rests on the new version.
  Status move_over(const FoldedEntries& folded, Corrected& corrected) {
    const Vault& vault = memory_.vault();
    TRY(append_tombstones(vault, {retired(old_, text_, next_tombstone_time(vault, chronicle_.logs()), author_, fact_.id)}));
    replaced_.push_back(old_.id);
    std::vector<LedgerEntry> lines;
    for (const auto* entries : {&folded.gone, &folded.apart, &folded.kept})
      for (const Entry& entry : *entries) {
        TRY(rest_on_others(vault, entry, {old_.id}, fact_.id));
        corrected.files.push_back(entry.places.front().file);
        Metadata same;
        same.id = entry.id;
        lines.push_back(settled_by(vault, chronicle_, fact_, same));
        lines.back().entry_hash = entry.hash;
      }
    return append_ledger(vault, lines);
  }

  Status put_into_files(const FoldedEntries& folded, Corrected& corrected) {
    const Vault& vault = memory_.vault();
    for (const auto* entries : {&folded.gone, &folded.apart})
      for (const Entry& entry : *entries)
        entry.id == home_->id ? replace_home(corrected) : take_out_of_files(vault, entry, corrected.files, corrected.notes);
    for (const Entry& entry : folded.kept) {
      const EntryPlace& place = entry.places.front();
      corrected.notes.push_back(place.file + ":" + std::to_string(place.line) + " rested on it too, but its words are yours: '" +
                                entry.id + "' stays as it is");
      const auto changed = rest_on_others(vault, entry, {old_.id});
      if (!changed) corrected.notes.push_back("'" + entry.id + "' still names what was corrected: " + changed.error().message);
      if (changed) corrected.files.push_back(place.file);
    }
    if (!is_settled_) return {};
    return append_ledger(vault, {settled_by(vault, chronicle_, fact_, successor())});
  }

 private:
  // What the old version had overruled does not come back with its correction.
  std::set<std::string> settled_with_old() const {
    std::set<std::string> facts = facts_overruled_by(chronicle_, old_);
    facts.insert(old_.id);
    return facts;
  }

  Metadata successor() const { return successor_metadata(*home_, fact_, author_); }

  void replace_home(Corrected& corrected) {
    const Vault& vault = memory_.vault();
    const std::string& file = home_->places.front().file;
    const auto changed =
        change_file(vault, file, [&](std::string_view bytes) { return with_successor(vault, *home_, bytes, successor(), text_); });
    is_settled_ = changed.has_value();
    if (changed) {
      corrected.files.push_back(file);
      take_out_copies(vault, *home_, corrected.files, corrected.notes);
    } else {
      leave(vault, home_->id, "the wrong text still stands in " + file, changed.error(), corrected.notes);
    }
  }

  Memory& memory_;
  const Chronicle& chronicle_;
  const Entry& old_;
  const Appended& fact_;
  const std::string& text_;
  const Author& author_;
  std::optional<Entry> home_;  // whose place the new text takes
  std::vector<std::string> replaced_;
  bool is_settled_ = false;
};

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

  const auto chronicle = Chronicle::read(vault);
  if (!chronicle) return old_one_may_stay(chronicle.error(), old, entry);
  const auto folded = folded_entries(memory, {old.id});
  if (!folded) return old_one_may_stay(folded.error(), old, entry);
  Succession succession{memory, *chronicle, old, entry, text, author};
  Corrected corrected{entry.id, entry.file, entry.line, {}, {}, {}, {}};
  note_what_stays(old, corrected.notes);
  auto retired = change.text ? succession.retire(*folded) : succession.move_over(*folded, corrected);
  if (!retired) return old_one_may_stay(retired.error(), old, entry);
  corrected.replaced = succession.replaced();
  if (change.text) TRY(succession.put_into_files(*folded, corrected));
  auto files = corrected.files;
  files.push_back(entry.file);
  corrected.searchable = make_searchable(memory, files);
  bring_lines_in_step(memory, {}, corrected.files, corrected.notes);
  return corrected;
}

// The wrong text gives way, wherever it stands.
Result<Corrected> replace(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  if (is_consolidated_entry(old)) return correct_consolidated(memory, old, text, author);
  if (old.place == Place::user && author.by == name_of(Actor::agent))
    return supersede_in_user_file(memory, old, Edit{text, std::nullopt}, author);
  if (old.place == Place::user) return correct_user_file(memory, old, text, author);
  Entry as_fact = old;  // what corrects a turn is a fact, not something that was said in it
  as_fact.kind = EntryKind::fact;
  as_fact.role.clear();
  as_fact.confidence.reset();
  return replace_in_archive(memory, as_fact, Edit{text, std::nullopt}, author);
}

// What of an edit the entry does not say already.
Edit what_differs(const Entry& entry, Edit change) {
  if (change.text && hash_of(*change.text) == entry.hash) change.text.reset();
  if (change.tags && *change.tags == entry.tags) change.tags.reset();
  return change;
}

Corrected unchanged(const Entry& entry) { return {entry.id, entry.places.front().file, entry.places.front().line, {}, {}, {}, {}}; }

Result<Corrected> edit_as_person(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  if (is_consolidated_entry(old)) return edit_in_place(memory, old, change);
  if (old.place == Place::user) return edit_line_of_user_file(memory, old, change);
  return replace_in_archive(memory, old, change, author);
}

// A new text makes a new version wherever it stands; new tags alone are set in place, where a file is rewritten at all.
Result<Corrected> edit_as_agent(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  if (old.place == Place::archive) return replace_in_archive(memory, old, change, author);
  if (!change.text) return edit_as_person(memory, old, change, author);
  if (old.place == Place::user) return supersede_in_user_file(memory, old, change, author);
  Entry tagged = old;
  if (change.tags) tagged.tags = *change.tags;
  return correct_consolidated(memory, tagged, *change.text, author);
}

// A tag may be all that keeps an entry from being sent to a model.
Status check_agents_edit(Memory& memory, const Entry& old, const Edit& change) {
  if (change.tags) {
    const auto may_send = TRY(Sendable(memory).may_send(old));
    if (!may_send)
      return fail(ErrorCode::refused, "'" + old.id + "' is private (privacy.never_send): an agent does not change its tags",
                  "change them yourself: 'loci edit'");
  }
  return change.text ? check_agents_changes(memory, old) : Status();
}

}  // namespace

Result<Corrected> correct(Memory& memory, const std::string& id_or_prefix, const std::string& text, const Author& author) {
  (void)take_out_leftovers(memory);  // what cannot go yet stays remembered
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  if (hash_of(text) == old.hash) return fail(ErrorCode::refused, "'" + old.id + "' says exactly that already");
  return replace(memory, old, text, author);
}

Result<Corrected> edit(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor, Source proven) {
  (void)take_out_leftovers(memory);
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  const Edit wanted = what_differs(old, change);
  const Intent intent = change.text ? Intent::reword : Intent::retag;
  TRY(may_change(actor, intent, old));
  if (!wanted.text && !wanted.tags) return unchanged(old);
  if (actor == Actor::agent) TRY(check_agents_edit(memory, old, wanted));
  Author author = author_of(actor, wanted.text ? Intent::reword : Intent::retag, old.source);
  if (wanted.text) author.source = std::max(author.source, proven);
  return actor == Actor::person ? edit_as_person(memory, old, wanted, author) : edit_as_agent(memory, old, wanted, author);
}

Result<Corrected> supersede(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor, Source proven) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  if (may_change(actor, Intent::reword, old)) return edit(memory, old.id, change, actor, proven);
  TRY(may_change(actor, Intent::supersede, old));
  if (hash_of(*change.text) == old.hash) return unchanged(old);
  if (actor == Actor::agent) TRY(check_agents_changes(memory, old));
  Author author = author_of(actor, Intent::supersede, old.source);
  author.source = std::max(author.source, proven);
  return replace(memory, old, *change.text, author);
}

}  // namespace loci
