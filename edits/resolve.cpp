#include "edits/resolve.h"

#include <algorithm>
#include <set>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/acts.h"
#include "edits/answers.h"
#include "edits/decisions.h"
#include "edits/evidence.h"
#include "edits/merge_file.h"
#include "edits/other_places.h"
#include "edits/saves.h"
#include "edits/seen_file.h"
#include "edits/settled_facts.h"
#include "memory/promoted_lines.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds lock_patience{10'000};

// A question, what it is about, and the state that it is in, locked.
struct Asked {
  EditState state;
  Question question;
  std::string before, now;
};

Result<Asked> asked_about(const Vault& vault, const std::string& file) {
  auto state = TRY(EditState::open(vault, lock_patience));
  const FileRecord* record = state.find(file);
  if (!record || !record->question) return std::unexpected(nothing_asked(vault, file));
  if (!ends_by_answer(record->question->kind)) return std::unexpected(why_no_answer_ends(*record->question));
  Question question = *record->question;
  auto before = TRY(bytes_before(vault, question));
  auto now = TRY(present_bytes(vault, file));
  return Asked{std::move(state), std::move(question), std::move(before), std::move(now)};
}

Status close_question(const Vault& vault, EditState& state, const Question& question, std::string_view understood,
                      const std::string& outcome) {
  FileRecord& record = state.record(question.file);
  record.question.reset();
  // What rests on a text without a comment is absent as it was, whether that is back or is in no version that comes back.
  const auto logs = TRY(Chronicle::read(vault));
  const auto texts = see_file(place_of(question.file), understood).entries;
  std::ranges::copy_if(question.gone, std::back_inserter(record.absent), [&](const Absence& one) {
    return !find_seen(texts, one.id) && rests_on_its_words(logs, one.id, one.hash) && !logs.is_removed(one.id);
  });
  TRY(log_answers(vault, acts_of_these(question.file, question.gone), outcome));
  std::vector<std::string> reworded;  // in the saves that were asked about
  for (const Act& act : TRY(acts_of(vault)))
    if (act.file == question.file && act.outcome == asked_about_it) reworded.push_back(act.id);
  TRY(log_answers(vault, reworded, outcome == put_as_before ? put_as_before : "theirs"));
  TRY(note_version(vault, question.file, Version::Kind::understood, understood));
  return state.save();
}

// Entries that are gone, but for those that stand elsewhere or are back.
Result<std::vector<Absence>> gone_entries(Memory& memory, const Asked& asked) {
  const SeenFile before = see_file(Place::consolidated, asked.before), after = see_file(Place::consolidated, asked.now);
  TRY(memory.catch_up_with_changes());
  OtherPlaces others(memory);
  std::vector<Absence> gone;
  for (const Absence& one : asked.question.gone) {
    if (find_seen(after.entries, one.id) || find_hidden(after, before.sections, one.id)) continue;
    if (!TRY(others.have(one.id, one.hash))) gone.push_back(one);
  }
  return gone;
}

// What came with the save that is asked about, and had been forgotten or corrected in these words: its ends. Of a line of user.md
// that was corrected the end has the id of its text.
std::vector<Tombstone> ends_of_what_came(const Asked& asked, const Chronicle& logs) {
  const Place place = place_of(asked.question.file);
  const SeenFile before = see_file(place, asked.before), now = see_file(place, asked.now);
  std::vector<Tombstone> ends;
  for (const SeenEntry& one : now.entries) {
    const SeenEntry* then = find_seen(before.entries, one.id);
    if (then && then->hash == one.hash) continue;
    for (const std::string& id : std::set{one.id, id_from_hash(one.hash)})
      if (logs.is_removed(id) && logs.tombstone_of(id)->text_hash == one.hash) ends.push_back(*logs.tombstone_of(id));
  }
  return ends;
}

Result<std::string> without_ends(std::string bytes, const std::vector<Tombstone>& ends) {
  for (const Tombstone& end : ends) {
    const auto present = see_file(Place::consolidated, bytes).entries;
    if (find_seen(present, end.id)) bytes = TRY(remove_entry(bytes, end.id));
  }
  return bytes;
}

// The versions of the file from that on which the question is about.
Result<KnownVersions> versions_since(const Vault& vault, const Question& question) {
  auto versions = TRY(versions_of(vault, question.file));
  const auto asked = place_of_last(versions, question.before);
  if (!asked) return KnownVersions();
  versions.erase(versions.begin(), versions.begin() + static_cast<std::ptrdiff_t>(*asked));
  return known_versions(vault, question.file, versions, versions.size());
}

// The file as it was before the save that is asked about, with what loci wrote since.
Result<std::string> before_with_writes(const Vault& vault, const Asked& asked) {
  const Place place = place_of(asked.question.file);
  auto versions = TRY(versions_of(vault, asked.question.file));
  std::string bytes = asked.before;
  size_t i = place_of_last(versions, asked.question.before).value_or(versions.size());
  for (++i; i < versions.size(); ++i) {
    if (versions[i].kind != Version::Kind::wrote) continue;
    const auto from = TRY(bytes_of(vault, asked.question.file, versions[i - 1]));
    const auto to = TRY(bytes_of(vault, asked.question.file, versions[i]));
    if (!from || !to) continue;
    if (auto with = put_back_since(place, *from, *to, bytes, {}, {})) bytes = std::move(*with);
  }
  return bytes;
}

// The entries of which it is known what became while the question stood: loci wrote them at somebody's word, they were forgotten or
// corrected, rest on what was, or are in another file by now. Nobody asks about those.
Result<std::set<std::string>> settled_since(Memory& memory, const Asked& asked, std::string_view now) {
  const Place place = place_of(asked.question.file);
  const auto logs = TRY(Chronicle::read(memory.vault()));
  TRY(memory.catch_up_with_changes());
  OtherPlaces others(memory);
  const auto is_removed = [&](const std::string& id) { return logs.is_removed(id); };
  const SeenFile present = see_file(place, now);
  const auto known = TRY(versions_since(memory.vault(), asked.question));
  std::set<std::string> ids = changed_last_by_loci(known.versions, present.entries);
  for (const Change& change : changes_between(see_file(place, asked.before).entries, present.entries, {})) {
    const SeenEntry& then = change.before;
    bool settled = explained_by(logs, place, then, change.after ? &*change.after : nullptr) || is_removed(id_from_hash(then.hash));
    const bool is_said = std::ranges::find(present.entries, then.hash, &SeenEntry::hash) != present.entries.end();
    if (!settled && !change.after) settled = is_said || std::ranges::any_of(then.from, is_removed);
    if (!settled && !change.after && place == Place::consolidated && then.has_metadata)
      settled = TRY(others.have(then.id, then.hash, loose_text_hash(then.text)));
    if (settled) ids.insert(then.id);
  }
  return ids;
}

// The line of user.md that a person had corrected, and means to stand. The ids.
Result<std::vector<std::string>> count_again(const Vault& vault, const Asked& asked) {
  const auto logs = TRY(Chronicle::read(vault));
  const Instant at = next_tombstone_time(vault, logs.logs());
  std::vector<std::string> ids;
  std::vector<Tombstone> lines;
  for (const Tombstone& end : ends_of_what_came(asked, logs)) {
    lines.push_back({at, end.id, end.text_hash, Tombstone::Reason::restored, "user", {}});
    ids.push_back(end.id);
  }
  if (!lines.empty()) TRY(append_tombstones(vault, lines));
  return ids;
}

Status keep_lines(Memory& memory, const Asked& asked, Resolved& resolved, GivenAnswer& answer) {
  const SeenFile then = see_file(Place::core, asked.before), now = see_file(Place::core, asked.now);
  if (now.unclear) return fail(ErrorCode::refused, "the markers of the core are not in order", "mend them, then try again");
  std::vector<Absence> gone;
  for (const Absence& one : asked.question.gone)
    if (!find_seen(now.entries, one.id) && !find_hidden(now, then.sections, one.id)) gone.push_back(one);
  for (const Change& change : changes_between(then.entries, now.entries, {})) {
    if (!change.after || !change.before.has_metadata) continue;
    const auto bytes = TRY(present_bytes(memory.vault(), core_file_name));  // each correction gives its line a new ref
    std::string successor = TRY(correct_line(memory, change.before.id, {change.before.hash, change.before.text}, bytes));
    if (successor.empty()) continue;
    resolved.corrected.push_back(change.before.id);
    answer.corrected.emplace_back(change.before.id, std::move(successor));
  }
  if (!gone.empty()) answer.ended = TRY(demote_lines(memory, gone));
  for (const Absence& line : gone) resolved.demoted.push_back(line.id);
  return {};
}

}  // namespace

Result<Resolved> keep_edits(Memory& memory, const std::string& file) {
  const Vault& vault = memory.vault();
  auto asked = TRY(asked_about(vault, file));
  Resolved resolved{file, {}, {}, {}, {}, false, {}};
  GivenAnswer answer{"kept", {TRY(file_before(vault, asked.question))}, asked.question};
  if (place_of(file) == Place::core) {
    TRY(keep_lines(memory, asked, resolved, answer));
  } else if (place_of(file) == Place::user) {
    answer.counted = TRY(count_again(vault, asked));
  } else {
    const auto gone = TRY(gone_entries(memory, asked));
    answer.files.push_back(TRY(file_before(vault, core_file_name)));
    answer.ended = TRY(delete_entries(memory, file, gone));
    for (const Absence& entry : gone) resolved.deleted.push_back(entry.id);
  }
  const bool is_deleted = place_of(file) != Place::user;
  TRY(close_question(vault, asked.state, asked.question, TRY(present_bytes(vault, file)), is_deleted ? "deleted" : taken_out));
  resolved.searchable = make_searchable(memory, {file});
  if (place_of(file) == Place::consolidated) (void)bring_lines_in_step(memory);  // what cannot be had now the next command does
  resolved.act = TRY(keep_answer(vault, answer));
  return resolved;
}

Result<Resolved> restore_entries(Memory& memory, const std::string& file) {
  const Vault& vault = memory.vault();
  auto asked = TRY(asked_about(vault, file));
  Resolved resolved{file, {}, {}, {}, {}, false, {}};
  std::string bytes = asked.now;
  const GivenAnswer answer{"restored", {TRY(file_before(vault, asked.question))}, asked.question};
  if (asked.question.kind == Question::Kind::missing) {
    TRY(let_go_of_missing(vault, asked.question.gone));
  } else {
    const Place place = place_of(file);
    const auto logs = TRY(Chronicle::read(vault));
    const std::string before = TRY(before_with_writes(vault, asked));
    const auto change = [&](std::string_view now) -> Result<std::string> {
      bytes = TRY(as_before(place, before, now, TRY(settled_since(memory, asked, now))));
      if (place != Place::core) bytes = TRY(without_ends(std::move(bytes), ends_of_what_came(asked, logs)));
      return bytes;
    };
    TRY(change_file(vault, file, change, IfMissing::create));
    resolved.rewritten = true;
  }
  TRY(close_question(vault, asked.state, asked.question, bytes, put_as_before));
  resolved.act = TRY(keep_answer(vault, answer));
  resolved.searchable = make_searchable(memory, {file});
  if (place_of(file) != Place::user) (void)bring_lines_in_step(memory);  // what cannot be had now the next command does
  return resolved;
}

}  // namespace loci
