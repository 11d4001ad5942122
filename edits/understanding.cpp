#include "edits/understanding.h"

#include <algorithm>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/copies.h"
#include "edits/decisions.h"
#include "edits/known_but_hidden.h"
#include "edits/old_buffers.h"
#include "edits/renames.h"
#include "edits/standing_again.h"
#include "edits/take_note.h"
#include "edits/waiting_saves.h"
#include "indexer/stored_entry.h"
#include "memory/add.h"
#include "parser/core_file.h"
#include "vault/git/sparse_checkout.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/write_folder.h"
#include "vault/rewrite/write_names.h"

namespace loci {

using std::chrono::milliseconds;

namespace {

// Behind the versions that the save was made from, somebody's other save.
bool has_found_another(const std::vector<Version>& versions, const Save& save) {
  const std::string hash = content_hash(save.bytes);
  return std::any_of(versions.begin() + static_cast<std::ptrdiff_t>(std::min(save.known.size(), versions.size())), versions.end(),
                     [&](const Version& one) { return one.kind == Version::Kind::found && one.hash != hash; });
}

}  // namespace

Result<Understood> Understanding::of(std::set<std::string> files) {
  TRY(follow_renames(context_, files));
  // A correction in the core rewrites the file of its entry, whose own edits come first, and which of several copies is that entry.
  const auto is_core = [](const std::string& file) { return place_of(file) == Place::core; };
  for (const std::string& file : files)
    if (!is_core(file)) TRY(look_at_or_ask(file));
  if (has_saves_ || are_copies_left(context_.memory)) TRY(let_go_of_copies());
  TRY(settle_all());  // and what was merged into it goes with it
  for (const std::string& file : files)
    if (is_core(file)) TRY(look_at_or_ask(file));
  if (!context_.understood.corrected.empty()) context_.other_places_changed();
  TRY(settle_all());
  TRY(state_.save());
  return std::move(context_.understood);
}

Status Understanding::settle_all() {
  std::vector<std::string> records;  // what is settled may write, and make another one
  for (const FileRecord& record : state_.files) records.push_back(record.file);
  for (const std::string& file : records) TRY(settle(file));
  return {};
}

Status Understanding::settle(const std::string& file) {
  const FileRecord* record = state_.find(file);
  if (!record || record->absent.empty() || context_.git_has_moved()) return {};
  TRY(absences_.settle(file));
  context_.present.was_written(core_file_name);  // what was deleted leaves it
  return {};
}

// --- a file ---

// What cannot be written in one file, as somebody saves it all the time, say, is no reason to leave everything else undone.
Status Understanding::look_at_or_ask(const std::string& file) {
  const auto looked = look_at(file);
  return looked || looked.error().code != ErrorCode::refused ? looked : ask_about_refusal(file, looked.error());
}

// What is missing from it is in question until the file says something else, or can be written.
Status Understanding::ask_about_refusal(const std::string& file, const Error& why) {
  const auto versions = TRY(versions_of(vault_, file));
  FileRecord& record = state_.record(file);
  const bool asks_more = record.question && record.question->kind != Question::Kind::stuck;
  const auto known = TRY(newest_known(vault_, file, versions));
  if (asks_more || !known) return {};
  context_.present.was_written(file);
  const PresentFile& now = context_.present.of(file);
  SaveReading reading{Made::from_newest, 0,
                      changes_between(known->entries, now.seen.entries, TRY(context_.evidence.explained(place_of(file))))};
  reading.same = known->entries.size() - reading.changes.size();
  TRY(questions_.ask(file, Question::Kind::stuck, versions.back(), reading));
  give_reason(*state_.record(file).question, why);
  context_.understood.look_again_in(milliseconds(0));
  return {};
}

Status Understanding::look_at(const std::string& file) {
  if (is_ignored(vault_, file)) return {};
  TRY(settle(file));  // what has been absent for long enough is no matter of what was saved since
  if (stands_as_looked_at(vault_, state_.find(file))) return {};
  auto versions = TRY(versions_of(vault_, file));
  if (!versions.empty() && content_hash(context_.present.of(file).bytes) != versions.back().hash) {
    wait_for_writes(vault_);  // it may be what another process of ours is just writing
    context_.present.was_written(file);
    versions = TRY(versions_of(vault_, file));
  }
  const PresentFile now = context_.present.of(file);
  if (!now.readable && place_of(file) == Place::consolidated) return look_at_unreadable(file, versions);
  if (!now.readable || now.seen.conflicts || now.seen.unclear) return {};
  if (!now.exists) return look_at_missing(file, versions);
  FileRecord& record = state_.record(file);
  const bool came_back = record.gone_since && context_.now - *record.gone_since >= absence_settles;
  record.gone_since.reset();
  auto hidden = TRY(known_but_hidden(context_, file, now, versions));
  questions_.wait_until_mended(file, now, std::move(hidden), versions.empty() ? std::string() : versions.back().hash);
  if (record.question && record.question->kind == Question::Kind::hidden) return {};
  if (versions.empty() || came_back) return see_first(file, now);
  if (TRY(questions_.is_put_back(file, now, versions))) return note_understood(file, {now.bytes, versions, now.saved_at, true});
  const auto saves = TRY(saves_of(vault_, file, now, versions));
  for (const Save& save : saves) {
    if (TRY(understand_save(file, save))) continue;
    const Question* asked = questions_.about_all(file);
    if (save.is_present || !asked) return {};
    TRY(put_back_meanwhile(context_, file, saves.back(), asked->before));
    return questions_.add_gone_since(file, saves.back());
  }
  TRY(look_for_what_stands_again(context_, file));
  return look_for_forgotten(context_, file);
}

// What went with a file that is gone. `elsewhere`: ids of `entries`, which stood in it, that stand in other files.
Result<SaveReading> Understanding::reading_of_missing(const std::string& file, std::span<const SeenEntry> entries,
                                                      const std::set<std::string>& elsewhere) {
  SaveReading reading{Made::from_newest, 0, changes_between(entries, {}, TRY(context_.evidence.explained(place_of(file))))};
  std::erase_if(reading.changes,
                [&](const Change& change) { return !change.before.has_metadata || elsewhere.contains(change.before.id); });
  reading.same = entries.size() - reading.changes.size();
  return reading;
}

// Of a file that is asked about already: with what went before.
Status Understanding::ask_about_what_is_missing(const std::string& file, const KnownVersion& newest,
                                                const std::vector<Version>& versions) {
  const auto asked = place_of_last(versions, questions_.about_all(file)->before);
  if (!asked) return {};
  const auto then = TRY(bytes_of(vault_, file, versions[*asked]));
  std::vector<SeenEntry> entries = then ? see_file(place_of(file), *then).entries : std::vector<SeenEntry>();
  std::ranges::copy_if(newest.entries, std::back_inserter(entries),
                       [&](const SeenEntry& one) { return !find_seen(entries, one.id); });
  const auto elsewhere = TRY(context_.that_stand_elsewhere(file, entries, {}));
  const SaveReading reading = TRY(reading_of_missing(file, entries, elsewhere));
  return questions_.ask(file, Question::Kind::wholesale, versions[*asked], reading);
}

// Somebody took the whole file away, or renamed it.
Status Understanding::look_at_missing(const std::string& file, const std::vector<Version>& versions) {
  if (versions.empty() || is_left_out_of_checkout(vault_.root(), file)) return {};
  FileRecord& record = state_.record(file);
  record.looked_at.reset();
  if (place_of(file) == Place::core) {  // nothing is shown, and nothing is promoted: `status` says so
    if (!record.gone_since) record.gone_since = context_.now;
    return {};
  }
  const auto known = TRY(newest_known(vault_, file, versions));
  if (!known || context_.is_being_saved(file)) return {};
  if (questions_.about_all(file)) return ask_about_what_is_missing(file, *known, versions);
  if (!TRY(note_where_they_went(file, known->entries, {}))) return {};
  const auto elsewhere = TRY(context_.that_stand_elsewhere(file, known->entries, {}));
  const SaveReading reading = TRY(reading_of_missing(file, known->entries, elsewhere));
  TRY(hold_by_words(file, versions.back(), left_by_words(context_, known->entries, elsewhere)));
  if (!elsewhere.empty() && !is_wholesale(reading.changes.size(), known->entries.size())) {
    TRY(take_note(context_, questions_, file, {{}, versions, context_.now, false}, versions.back(),
                  reading));  // renamed: what is missing was taken out
  } else if (!reading.changes.empty()) {
    TRY(questions_.ask(file, Question::Kind::gone, versions.back(), reading));
    return {};
  }
  // Whoever makes a file of that name anew, loci too, takes nothing out of what stood in this one.
  TRY(state_.save());
  TRY(note_version(vault_, file, Version::Kind::understood, {}));
  FileRecord& left = state_.record(file);
  close_question(left, versions.back());  // what had gone before is not decided with it
  if (left.absent.empty() && !left.question) state_.forget_file(file);
  return {};
}

// It is too large, or its disk fails: what stood in it is in question until it can be read again.
Status Understanding::look_at_unreadable(const std::string& file, const std::vector<Version>& versions) {
  if (versions.empty()) return {};
  const auto known = TRY(newest_known(vault_, file, versions));
  if (!known) return {};
  SaveReading reading{Made::from_newest, 0, changes_between(known->entries, {}, {})};
  std::erase_if(reading.changes, [](const Change& change) { return !change.before.has_metadata; });
  return questions_.ask(file, Question::Kind::unreadable, versions.back(), reading);
}

// No version tells what it was: wordings are judged by what promotions wrote, and nothing by what is missing.
Status Understanding::see_first(const std::string& file, const PresentFile& now) {
  const size_t known = TRY(versions_of(vault_, file)).size();
  if (place_of(file) == Place::core) {
    for (const SeenEntry& line : now.seen.entries) {
      const Chronicle& logs = *TRY(context_.evidence.logs());
      const auto shown = logs.promoted().find(line.id);
      if (shown == logs.promoted().end() || logs.ever_promoted(line.id, line.hash)) continue;
      const auto bytes = TRY(read_file(vault_.files(), vault_.file(file)));  // each correction gives its line a new ref
      const std::string shown_hash(shown->second.line_hash);
      const bool is_corrected = !TRY(correct_line(context_.memory, line.id, {shown_hash}, bytes)).empty();
      if (!is_corrected && !logs.is_removed(line.id)) continue;  // else its entry had ended, and nobody had told them
      if (is_corrected) context_.understood.corrected.push_back(line.id);
      context_.evidence.logs_changed();
      TRY(log_change(vault_, context_.now, file, Version{Version::Kind::understood, {}, 0, context_.now}, {},
                     {{line.id, shown_hash}, line}, is_corrected ? "corrected" : "theirs", !is_corrected));
    }
  }
  if (place_of(file) == Place::consolidated) has_saves_ = true;
  state_.record(file).looked_at = now.signature;
  const auto versions = TRY(versions_of(vault_, file));
  // What loci has made of it since, or what was looked at: somebody's save of this very moment is for the next time.
  const auto written = versions.size() > known ? TRY(bytes_of(vault_, file, versions.back())) : std::nullopt;
  TRY(note_version(vault_, file, Version::Kind::understood, written.value_or(now.bytes)));
  TRY(absences_.let_go_of_moved(file, written.value_or(now.bytes)));
  TRY(look_for_what_stands_again(context_, file));
  return look_for_forgotten(context_, file);
}

// --- a save ---

Result<bool> Understanding::understand_save(const std::string& file, const Save& save) {
  const Version& newest = save.known.back();
  if (content_hash(save.bytes) == newest.hash) {
    FileRecord& record = state_.record(file);
    if (record.question && context_.git_is_busy()) return false;  // what stands there may be of another commit
    close_question(record, newest);
    record.looked_at = context_.present.of(file).signature;
    if (newest.kind != Version::Kind::understood && save.known.size() > 1) TRY(note_understood(file, save));
    return true;
  }
  if (place_of(file) == Place::consolidated) {
    has_saves_ = true;
    const auto known = TRY(newest_known(vault_, file, save.known));
    const auto saved = see_file(Place::consolidated, save.bytes).entries;
    if (known && !TRY(note_where_they_went(file, known->entries, saved))) return false;
  }
  auto meaning = TRY(meaning_of(context_, file, save, questions_.about_all(file) != nullptr));
  if (meaning && (meaning->waits || (save.is_present && context_.is_being_saved(file)))) return false;
  const std::vector<Absence> absent = state_.record(file).absent;
  brought_.clear();
  if (meaning && !TRY(carry_out(file, save, *meaning))) return false;
  TRY(note_understood(file, save));
  if (save.is_present && context_.git_has_moved()) keep_absent(file, absent);
  return true;
}

// What is left of entries without their comment is a place of theirs: as long as it stands they are not gone, and what they were
// made of is not folded anew.
Status Understanding::hold_by_words(const std::string& file, const Version& version, const std::vector<Change>& entries) {
  if (entries.empty()) return {};
  const auto by_git = TRY(context_.evidence.undecided_by_git(file, entries));
  const Chronicle& logs = *TRY(context_.evidence.logs());
  std::vector<Absence>& absent = state_.record(file).absent;
  for (const Change& change : entries) {
    const SeenEntry& entry = change.before;
    const bool is_known = std::ranges::find(absent, entry.id, &Absence::id) != absent.end();
    const bool has_ended = logs.explains_removal(entry.id) && !rests_on_its_words(logs, entry.id, entry.hash);
    if (is_known || by_git.contains(entry.id) || has_ended || logs.is_removed(entry.id)) continue;
    absent.push_back({entry.id, entry.hash, entry.from, context_.now, version.hash});
  }
  return {};
}

// What came back may have come with the commit that git has gone to, and goes with it.
void Understanding::keep_absent(const std::string& file, std::span<const Absence> before) {
  std::vector<Absence>& absent = state_.record(file).absent;
  std::ranges::copy_if(before, std::back_inserter(absent),
                       [&](const Absence& one) { return std::ranges::find(absent, one.id, &Absence::id) == absent.end(); });
}

// What stands elsewhere by now was moved, and its new place has to be known before the old one is forgotten: from there it may go
// again before anybody looks. Not if somebody is just saving that file.
Result<bool> Understanding::note_where_they_went(const std::string& file, std::span<const SeenEntry> before,
                                                 std::span<const SeenEntry> after) {
  if (place_of(file) != Place::consolidated || !in_work_.insert(file).second) return true;
  const auto files = context_.other_files_with(file, before, after);
  for (const std::string& other : files) {
    if (in_work_.contains(other)) continue;
    context_.present.was_written(other);
    TRY(look_at_or_ask(other));
  }
  in_work_.erase(file);
  if (!files.empty()) context_.other_places_changed();
  return std::ranges::none_of(files, [&](const std::string& other) { return context_.is_being_saved(other); });
}

// What was reworded in a buffer that has earlier names is reworded as in any other.
Status Understanding::bring_names_up_to_date(const std::string& file, const EarlierNames& names) {
  if (names.empty()) return {};
  TRY(change_file(vault_, file, [&](std::string_view bytes) -> Result<std::string> { return names.in_file(bytes); }));
  (void)make_searchable(context_.memory, {file});
  context_.present.was_written(file);
  return {};
}

Result<bool> Understanding::carry_out(const std::string& file, const Save& save, SaveMeaning& meaning) {
  SaveReading& reading = meaning.reading;
  const bool differs = !reading.changes.empty() || reading.made != Made::from_newest || meaning.apart;
  if (differs) {
    if (TRY(waits_for_others(context_, file, save, meaning))) return false;
    const auto by_git = TRY(context_.evidence.undecided_by_git(file, reading.changes));
    std::erase_if(reading.changes, [&](const Change& change) { return by_git.contains(change.before.id); });
    if (TRY(questions_.asks_about(file, meaning))) return false;
  }
  if (const auto brought = TRY(work_of_others(context_, file, save, meaning))) {
    TRY(note_version(vault_, file, Version::Kind::wrote, *brought));
    brought_ = content_hash(*brought);
  }
  if (meaning.joined) TRY(put_back(context_, file, meaning.standing, meaning.base, reading.changes, *meaning.joined));
  if (save.is_present)
    TRY(bring_names_up_to_date(file, meaning.names));
  else
    meaning.names.as_saved(reading.changes);
  if (place_of(file) == Place::core && save.is_present) {
    TRY(let_go_of_copied_lines(context_.memory));
    context_.present.was_written(file);
  }
  if (differs && !TRY(take_note(context_, questions_, file, save, meaning.base, reading))) return false;
  TRY(hold_by_words(file, save.known.back(), meaning.by_words));
  // What stands there again is perhaps of the commit that git has gone to just now.
  if (save.is_present && context_.git_is_busy()) return false;
  std::set<std::string_view> back;
  for (const Change& change : reading.changes)
    if (change.after) back.insert(change.before.id);
  const auto is_back = [&](const Absence& one) { return back.contains(one.id); };
  std::vector<Absence>& absent = state_.record(file).absent;
  std::vector<std::string> acts;
  for (const Absence& one : absent)
    if (is_back(one)) acts.push_back(act_id_in(file, one.id, one.hash, {}));
  TRY(log_outcomes(vault_, acts, "not meant"));
  std::erase_if(absent, is_back);
  return true;
}

Status Understanding::note_understood(const std::string& file, const Save& save) {
  FileRecord& record = state_.record(file);
  record.unsure_of.clear();
  record.unsure_absent.clear();
  record.unsure_since.reset();
  record.unsure_first.reset();
  if (!save.is_present) return {};
  close_question(record, save.known.back());
  if (record.question) return {};
  TRY(state_.save());  // what is missing must be known before the version that has it is the newest no more
  const auto versions = TRY(versions_of(vault_, file));
  // Somebody's save of this very moment is for the next time, also if loci has written over it.
  if (has_found_another(versions, save)) {
    context_.understood.look_again_in(milliseconds(0));
    return {};
  }
  const bool was_written =
      versions.size() > save.known.size() && versions.back().kind == Version::Kind::wrote && versions.back().hash != brought_;
  const auto bytes = was_written ? TRY(bytes_of(vault_, file, versions.back())) : std::nullopt;
  TRY(note_version(vault_, file, Version::Kind::understood, bytes.value_or(save.bytes)));
  TRY(absences_.let_go_of_moved(file, bytes.value_or(save.bytes)));
  if (bytes) return {};
  const PresentFile& now = context_.present.of(file);
  if (now.bytes == save.bytes)
    state_.record(file).looked_at = now.signature;
  else
    context_.understood.look_again_in(milliseconds(0));
  return {};
}

Status Understanding::let_go_of_copies() {
  std::set<std::string> untouchable;
  for (const FileRecord& record : state_.files)
    if (record.question) untouchable.insert(record.file);
  TRY(context_.memory.bring_up_to_date());
  context_.memory.drop_reader();
  return let_go_of_copied_entries(context_.memory, untouchable);
}

}  // namespace loci
