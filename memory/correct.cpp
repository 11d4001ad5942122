#include "memory/correct.h"

#include <algorithm>
#include <optional>
#include <set>

#include "memory/agents_changes.h"
#include "memory/archive_correction.h"
#include "memory/file_changes.h"
#include "memory/forget.h"
#include "memory/leave_out_private.h"
#include "memory/may_send.h"
#include "memory/private_tag.h"
#include "memory/promoted_lines.h"
#include "memory/removal.h"
#include "memory/successor.h"
#include "memory/user_file_correction.h"
#include "parser/entry_edit.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"

namespace loci {
namespace {

std::string hash_of(const std::string& text) { return stored_text_hash(text); }

bool is_consolidated_entry(const Entry& entry) { return entry.place == Place::consolidated && entry.has_metadata; }

// The facts that a consolidated entry rests on are wrong with it.
Status add_tombstones_of_facts(Memory& memory, const Chronicle& chronicle, const Entry& old, const Appended& fact,
                               std::vector<Tombstone>& tombstones) {
  const auto facts = TRY(facts_of_entry(memory, chronicle, old));
  const Equals equals = TRY(says_otherwise(memory.vault(), old)) ? Equals::stay : Equals::end;
  auto ends = TRY(ends_of_facts(memory, facts, tombstones.front(), fact.id, equals));
  std::erase_if(ends, [&](const Tombstone& end) { return end.id == fact.id; });
  std::ranges::move(ends, std::back_inserter(tombstones));
  return {};
}

// A person's words in their file, that no run has filed yet.
bool stands_in_no_fact(Memory& memory, const Chronicle& chronicle, const Entry& entry) {
  if (!entry.edited) return false;
  const auto facts = facts_of_entry(memory, chronicle, entry);
  if (!facts) return true;
  return std::ranges::none_of(*facts, [&](const std::string& id) {
    const auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(id, 1); });
    return found && !found->empty() && found->front().id == id && found->front().hash == entry.hash;
  });
}

// `copy`: what was named, if that is another entry with the same words, which goes along; a line of user.md says the right ones.
Result<Corrected> correct_consolidated(Memory& memory, const Entry& old, const std::string& text, const Author& author,
                                       const Entry* copy = nullptr) {
  const Vault& vault = memory.vault();
  Metadata fact_metadata = inherited(old);
  fact_metadata.source = author.source;
  fact_metadata.corrects = old.id;
  DecidedChanges changes(vault);
  const auto fact = TRY(changes.append(NewEntry{std::move(fact_metadata), text}));
  const Metadata successor = successor_metadata(old, fact, author);

  const auto chronicle = TRY(Chronicle::read(vault));
  const Instant at = next_tombstone_time(vault, chronicle.logs());
  std::vector<Tombstone> tombstones{retired(old, text, at, author, successor.id)};
  TRY(add_tombstones_of_facts(memory, chronicle, old, fact, tombstones));

  Corrected corrected{fact.id, {}, 0, {}, {}, {}, {}};
  if (copy && copy->place == Place::user) {
    tombstones.push_back(TRY(reword_in_user_file(changes, vault, *copy, text, at, author)));
  } else if (copy) {
    tombstones.push_back(retired(*copy, text, at, author, successor.id));
    note_what_stays(*copy, corrected.notes);
  }
  for (const Tombstone& tombstone : tombstones) corrected.replaced.push_back(tombstone.id);
  const std::string& file = old.places.front().file;
  std::vector<LedgerEntry> ledger;
  const auto placed =
      changes.change(file, [&](std::string_view bytes) { return with_successor(vault, old, bytes, successor, text); });
  if (placed) {
    // Without its words: whoever is told may be an agent.
    if (hash_of(text) != old.hash && stands_in_no_fact(memory, chronicle, old))
      corrected.notes.push_back("'" + old.id + "' had been changed by hand, and no fact says those words: 'loci restore " + old.id +
                                "' brings them back");
    changes.take_out_copies(old);
    ledger.push_back(settled_by(vault, chronicle, fact, successor));
  } else {
    corrected.notes.push_back("the wrong text still stands in " + file + ": " + placed.error().message);
  }
  const auto appended = TRY(changes.carry_out(tombstones, ledger, corrected.files, corrected.notes));
  corrected.file = appended.front().file;
  corrected.line = appended.front().line;
  if (std::ranges::find(corrected.files, file) != corrected.files.end()) corrected.id = successor.id;
  auto written = corrected.files;
  written.push_back(corrected.file);
  corrected.searchable = make_searchable(memory, written);
  if (!corrected.searchable.yes)
    take_out_of_core(vault, old.id, old.hash, corrected.files, corrected.notes);  // what is wrong goes at once
  bring_lines_in_step(memory, {.reworded = [&] { return author.lines; }}, corrected.files, corrected.notes);
  locate(memory, corrected);
  return corrected;
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

// The entry of consolidated/ that says what a person names by another id: a copy, in other marks too, or the same words said again.
// Corrected alone, that would leave the entry as it stands, without what its words had overruled.
Result<std::optional<Entry>> original_of(Memory& memory, const Entry& named) {
  const auto same = TRY(memory.ask<std::vector<Entry>>(
      [&](IndexReader& reader) { return reader.find_text(named.hash, loose_text_hash(named.text)); }));
  for (const Entry& entry : same) {
    const bool rests_on_it = std::ranges::find(entry.from, named.id) != entry.from.end();
    const bool is_of_facts = !entry.from.empty() || named.corrects == entry.id;  // which may have been filed, and be undone
    if (entry.active && entry.id != named.id && is_consolidated_entry(entry) && is_of_facts && !rests_on_it) return entry;
  }
  return std::nullopt;
}

// The wrong text gives way, wherever it stands.
Result<Corrected> replace(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  if (is_consolidated_entry(old)) return correct_consolidated(memory, old, text, author);
  if (old.place == Place::user && author.by == name_of(Actor::agent))
    return supersede_in_user_file(memory, old, Edit{text, std::nullopt}, author);
  if (author.by == name_of(Actor::person))
    if (const auto original = TRY(original_of(memory, old))) return correct_consolidated(memory, *original, text, author, &old);
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

// A new version wherever it stands, of new tags alone as well: a person is told of it, and can take it back.
Result<Corrected> edit_as_agent(Memory& memory, const Entry& old, const Edit& change, const Author& author) {
  if (old.place == Place::archive) return replace_in_archive(memory, old, change, author);
  const Edit whole{change.text.value_or(old.text), change.tags.value_or(old.tags)};
  if (old.place == Place::user) return supersede_in_user_file(memory, old, whole, author);
  Entry tagged = old;
  tagged.tags = *whole.tags;
  return correct_consolidated(memory, tagged, *whole.text, author);
}

// `proven`: whose words the new version's were found to be.
Status check_agents_new_version(Memory& memory, const Entry& old, Source proven) {
  if (proven < Source::user) TRY(check_agent_alone_said_it(memory, old));
  return check_agents_changes(memory, old);
}

// A tag may be all that keeps an entry from being sent to a model.
Status check_agents_edit(Memory& memory, const Entry& old, const Edit& change, Source proven) {
  if (change.tags) {
    const auto may_send = TRY(Sendable(memory).may_send(old));
    if (!may_send)
      return fail(ErrorCode::refused, "'" + old.id + "' is private (privacy.never_send): an agent does not change its tags",
                  "change them yourself: 'loci edit'");
  }
  return check_agents_new_version(memory, old, proven);
}

Result<Corrected> edit_entry(Memory& memory, const Entry& old, const Edit& change, Actor actor, Source proven) {
  const Edit wanted = what_differs(old, change);
  const Intent intent = change.text ? Intent::reword : Intent::retag;
  TRY(may_change(actor, intent, old));
  if (!wanted.text && !wanted.tags) return unchanged(old);
  if (actor == Actor::agent) TRY(check_agents_edit(memory, old, wanted, proven));
  Author author = author_of(actor, wanted.text ? Intent::reword : Intent::retag, old.source);
  if (wanted.text) author.source = std::max(author.source, proven);
  return actor == Actor::person ? edit_as_person(memory, old, wanted, author) : edit_as_agent(memory, old, wanted, author);
}

Result<Corrected> supersede_entry(Memory& memory, const Entry& old, const Edit& change, Actor actor, Source proven) {
  if (may_change(actor, Intent::reword, old)) return edit_entry(memory, old, change, actor, proven);
  TRY(may_change(actor, Intent::supersede, old));
  if (hash_of(*change.text) == old.hash) return unchanged(old);
  if (actor == Actor::agent) TRY(check_agents_new_version(memory, old, proven));
  Author author = author_of(actor, Intent::supersede, old.source);
  author.source = std::max(author.source, proven);
  return replace(memory, old, *change.text, author);
}

// What says the same as the old text, and goes with it, though nobody but its owner rewrites it.
Result<std::vector<Entry>> words_of_their_own(Memory& memory, const Entry& old, const std::string& text, const Author& author) {
  const bool ends_its_text = author.by == name_of(Actor::person) && normalise_loosely(old.text) != normalise_loosely(text);
  if (!ends_its_text) return std::vector<Entry>{};
  auto same = TRY(equal_entries(memory, old));
  std::erase_if(same, [](const Entry& entry) { return !entry.active || !entry.ref.empty(); });
  return same;
}

// Of what stands now, if anything was written.
void warn_of_open_tag(Memory& memory, Corrected& corrected) {
  if (corrected.replaced.empty() && corrected.files.empty()) return;
  const auto entry = find_entry(memory, corrected.id);
  if (entry && OpenPrivateTag(memory.vault().config()).is_on(*entry)) corrected.notes.push_back(OpenPrivateTag::warning(1));
}

Result<Corrected> told_to(Memory& memory, Actor actor, Result<Corrected> corrected) {
  if (corrected) warn_of_open_tag(memory, *corrected);
  if (corrected && actor == Actor::agent) leave_out_private(memory, *corrected);
  return corrected;
}

}  // namespace

Result<Corrected> correct(Memory& memory, const std::string& id_or_prefix, const std::string& text, const Author& author) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  if (hash_of(text) == old.hash) return fail(ErrorCode::refused, "'" + old.id + "' says exactly that already");
  const auto same = TRY(words_of_their_own(memory, old, text, author));
  auto corrected = TRY(replace(memory, old, text, author));
  for (const Entry& entry : same)
    if (std::ranges::find(corrected.replaced, entry.id) == corrected.replaced.end()) note_what_stays(entry, corrected.notes);
  warn_of_open_tag(memory, corrected);
  return corrected;
}

Result<Corrected> edit(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor, Source proven) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  return told_to(memory, actor, edit_entry(memory, old, change, actor, proven));
}

Result<Corrected> supersede(Memory& memory, const std::string& id_or_prefix, const Edit& change, Actor actor, Source proven) {
  const auto old = TRY(find_entry_to_change(memory, id_or_prefix));
  return told_to(memory, actor, supersede_entry(memory, old, change, actor, proven));
}

}  // namespace loci
