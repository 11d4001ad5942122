#include "edits/understanding.h"

#include <algorithm>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/copies.h"
#include "edits/decisions.h"
#include "edits/known_but_hidden.h"
#include "edits/old_buffers.h"
#include "edits/renames.h"
#include "edits/settled_facts.h"
#include "edits/take_note.h"
#include "indexer/stored_entry.h"
#include "parser/core_file.h"
#include "parser/text_hash.h"
#include "vault/git/sparse_checkout.h"
#include "vault/layout/scan.h"
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

// What a person is asked about the file as a whole.
const Question* Understanding::question_about_all(const std::string& file) const {
  const FileRecord* record = state_.find(file);
  const bool is_asked = record && record->question && record->question->kind == Question::Kind::wholesale;
  return is_asked ? &*record->question : nullptr;
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
  AbsenceSettlement absences(context_);
  TRY(absences.settle(file));
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
  if (TRY(is_put_back(file, now, versions))) return note_understood(file, {now.bytes, versions, now.saved_at, true});
  const auto saves = TRY(saves_of(vault_, file, now, versions));
  for (const Save& save : saves) {
    if (TRY(understand_save(file, save))) continue;
    const Question* asked = question_about_all(file);
    return save.is_present || !asked ? Status() : put_back_meanwhile(context_, file, saves.back(), asked->before);
  }
  TRY(look_for_what_stands_again(file));
  return look_for_forgotten(file, now);
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
  const auto asked = place_of_last(versions, question_about_all(file)->before);
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
  if (question_about_all(file)) return ask_about_what_is_missing(file, *known, versions);
  if (!TRY(note_where_they_went(file, known->entries, {}))) return {};
  const auto elsewhere = TRY(context_.that_stand_elsewhere(file, known->entries, {}));
  const SaveReading reading = TRY(reading_of_missing(file, known->entries, elsewhere));
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
  if (state_.record(file).absent.empty()) state_.forget_file(file);
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
    const Chronicle& logs = *TRY(context_.evidence.logs());
    for (const SeenEntry& line : now.seen.entries) {
      const auto shown = logs.promoted().find(line.id);
      if (shown == logs.promoted().end() || logs.ever_promoted(line.id, line.hash)) continue;
      const auto bytes = TRY(read_file(vault_.files(), vault_.file(file)));  // each correction gives its line a new ref
      if (!TRY(correct_line(context_.memory, line.id, {std::string(shown->second.line_hash)}, bytes)).empty())
        context_.understood.corrected.push_back(line.id);
    }
  }
  if (place_of(file) == Place::consolidated) has_saves_ = true;
  state_.record(file).looked_at = now.signature;
  const auto versions = TRY(versions_of(vault_, file));
  // What loci has made of it since, or what was looked at: somebody's save of this very moment is for the next time.
  const auto written = versions.size() > known ? TRY(bytes_of(vault_, file, versions.back())) : std::nullopt;
  TRY(note_version(vault_, file, Version::Kind::understood, written.value_or(now.bytes)));
  TRY(look_for_what_stands_again(file));
  return look_for_forgotten(file, now);
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
  auto meaning = TRY(meaning_of(context_, file, save, question_about_all(file) != nullptr));
  if (meaning && (meaning->waits || (save.is_present && context_.is_being_saved(file)))) return false;
  if (meaning && !TRY(carry_out(file, save, *meaning))) return false;
  TRY(note_understood(file, save));
  return true;
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

Result<bool> Understanding::carry_out(const std::string& file, const Save& save, SaveMeaning& meaning) {
  SaveReading& reading = meaning.reading;
  if (place_of(file) == Place::core && save.is_present) TRY(add_reworded_after_absence(save, reading));
  const bool differs = !reading.changes.empty() || reading.made != Made::from_newest || meaning.apart;
  if (differs) {
    if (TRY(waits_for_others(file, save, meaning))) return false;
    const auto by_git = TRY(context_.evidence.undecided_by_git(file, reading.changes));
    std::erase_if(reading.changes, [&](const Change& change) { return by_git.contains(change.before.id); });
    if (TRY(asks_about(file, meaning))) return false;
    if (meaning.joined) TRY(put_back(context_, file, meaning.standing, meaning.base, reading.changes, *meaning.joined));
  }
  if (place_of(file) == Place::core && save.is_present) {
    TRY(let_go_of_copied_lines(context_.memory));
    context_.present.was_written(file);
  }
  if (differs && !TRY(take_note(context_, questions_, file, save, meaning.base, reading))) return false;
  std::vector<Absence>& absent = state_.record(file).absent;
  for (const Change& change : reading.changes) {
    const auto absence = std::ranges::find(absent, change.before.id, &Absence::id);
    if (!change.after || absence == absent.end()) continue;
    TRY(log_outcome(vault_, act_id(absence->id, absence->hash, {}), "not meant"));
    absent.erase(absence);
  }
  return true;
}

// A line that was emptied in one save, and says something else in the next one, is reworded: an editor saved in between.
Status Understanding::add_reworded_after_absence(const Save& save, SaveReading& reading) {
  const SeenFile now = see_file(Place::core, save.bytes);
  const Chronicle& logs = *TRY(context_.evidence.logs());
  for (const Absence& absence : state_.record(core_file_name).absent) {
    const SeenEntry* line = find_seen(now.entries, absence.id);
    if (!line || line->hash == absence.hash || logs.ever_promoted(line->id, line->hash)) continue;
    const bool is_known = std::ranges::any_of(reading.changes, [&](const Change& change) { return change.before.id == line->id; });
    if (is_known) continue;
    const auto then = TRY(bytes_of(vault_, core_file_name, Version{Version::Kind::understood, absence.version, 0, {}}));
    const SeenFile before = see_file(Place::core, then.value_or(std::string()));
    const SeenEntry* stood = find_seen(before.entries, absence.id);
    reading.changes.push_back({stood ? *stood : SeenEntry{absence.id, absence.hash}, *line});
  }
  return {};
}

// For what may explain it, a sync tool's logs or git: what is missing till then is noted.
Result<bool> Understanding::waits_for_others(const std::string& file, const Save& save, const SaveMeaning& meaning) {
  state_.record(file).unsure_absent.clear();
  if (!TRY(must_wait(file, save))) return context_.git_has_moved();
  context_.waits = true;
  for (const Change& change : meaning.reading.changes)
    if (!change.after && change.before.has_metadata)
      state_.record(file).unsure_absent.push_back(
          {change.before.id, change.before.hash, change.before.from, context_.now, meaning.base.hash});
  return true;
}

// A command of a person's is not unsaid by a save in which nothing shows that it was heard of.
Result<bool> Understanding::lacks_unheard_correction(const std::string& file, const SaveMeaning& meaning) {
  if (place_of(file) == Place::core) return false;
  const auto lacking = TRY(context_.evidence.lacking_corrections(meaning.reading.changes));
  return std::ranges::any_of(lacking, [&](const SeenEntry& entry) { return !meaning.heard_of.contains({entry.id, entry.hash}); });
}

// Whether nobody but a person can say what is to stand; then they are asked.
Result<bool> Understanding::asks_about(const std::string& file, const SaveMeaning& meaning) {
  const SaveReading& reading = meaning.reading;
  const FileRecord& record = state_.record(file);
  const bool is_undone = reading.undone && reading.made == Made::from_newest;
  const bool lacks_correction = is_undone && TRY(lacks_unheard_correction(file, meaning));
  const auto gone = static_cast<size_t>(std::ranges::count_if(reading.changes, [](const Change& one) { return !one.after; }));
  std::set<std::string_view> touched;  // what was noted before somebody was stopped is still a change
  for (const Change& change : reading.changes) touched.insert(change.before.id);
  for (const Absence& absence : record.absent) touched.insert(absence.id);
  // Which is a person's to answer, whatever has become of some of its entries since.
  const Question* asked = question_about_all(file);
  std::string why = asked ? asked->why : std::string();
  const bool is_large = is_wholesale(touched.size(), touched.size() + reading.same) || (is_undone && gone > most_undone);
  if (!meaning.apart && !lacks_correction && !asked && !is_large) return false;
  TRY(questions_.ask(file, Question::Kind::wholesale, meaning.base, reading));
  Question& question = *state_.record(file).question;
  if (meaning.apart)
    give_reason(question, *meaning.apart);
  else if (lacks_correction)
    give_reason(question, {ErrorCode::refused, "as it was before you corrected an entry", ""});
  else
    question.why = std::move(why);
  return true;
}

// What a person was asked about is all there again, and nothing else is missing: what loci has written meanwhile, or what ended by
// a command, is no matter of theirs.
Result<bool> Understanding::is_put_back(const std::string& file, const PresentFile& now, const std::vector<Version>& versions) {
  const Question* asked = question_about_all(file);
  const auto then = asked ? place_of_last(versions, asked->before) : std::nullopt;
  if (!then || *then + 1 == versions.size()) return false;
  const auto explained = TRY(context_.evidence.explained(place_of(file)));
  for (const size_t i : {*then, versions.size() - 1}) {
    const auto bytes = TRY(bytes_of(vault_, file, versions[i]));
    if (!bytes || !changes_between(see_file(place_of(file), *bytes).entries, now.seen.entries, explained).empty()) return false;
  }
  return !context_.is_being_saved(file) && !context_.git_is_busy();
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
  const auto bytes = versions.size() > save.known.size() ? TRY(bytes_of(vault_, file, versions.back())) : std::nullopt;
  TRY(note_version(vault_, file, Version::Kind::understood, bytes.value_or(save.bytes)));
  if (!bytes) state_.record(file).looked_at = context_.present.of(file).signature;
  return {};
}

// Another sync tool may bring a file before the logs that explain it. The first sight of these bytes counts, 10 minutes of it, and
// half an hour of whatever came one after the other.
Result<bool> Understanding::must_wait(const std::string& file, const Save& save) {
  if (!save.is_present) return false;
  Instant newest_write{};
  for (const Version& version : save.known)
    if (version.kind == Version::Kind::wrote) newest_write = version.at;
  FileRecord& record = state_.record(file);
  if (TRY(context_.evidence.waits_for_stash(file, save.bytes))) return true;
  if (!context_.evidence.may_be_half_a_sync(context_.present.of(file).saved_at, newest_write, context_.now)) return false;
  const std::string hash = content_hash(save.bytes);
  if (record.unsure_of != hash || !record.unsure_since || *record.unsure_since > context_.now) record.unsure_since = context_.now;
  record.unsure_of = hash;
  if (!record.unsure_first || *record.unsure_first > context_.now) record.unsure_first = context_.now;
  const auto left =
      std::min(sync_settles - (context_.now - *record.unsure_since), most_sync_waits - (context_.now - *record.unsure_first));
  if (left <= milliseconds(0)) return false;
  context_.understood.look_again_in(left);
  return true;
}

// --- what stands although it was merged, or forgotten ---

// A person who merged it has taken that back, or pasted it, or has put their words into an entry that an undo had taken out: it is
// an entry of its own again.
Status Understanding::look_for_what_stands_again(const std::string& file) {
  if (place_of(file) != Place::consolidated) return {};
  const Chronicle& logs = *TRY(context_.evidence.logs());
  for (const SeenEntry& entry : context_.present.of(file).seen.entries)
    if (entry.has_metadata && stands_again(logs, entry)) TRY(settle_facts_again(context_.memory, entry, entry));
  return {};
}

// A text that was known to whoever deleted its entry is not found, though it is another than that which was deleted: somebody
// pasted it back, or undid what they had typed.
Status Understanding::look_for_forgotten(const std::string& file, const PresentFile& now) {
  if (place_of(file) != Place::consolidated) return {};
  const Chronicle& logs = *TRY(context_.evidence.logs());
  for (const SeenEntry& entry : now.seen.entries) {
    if (!entry.has_metadata || entry.as_written || !logs.is_removed(entry.id)) continue;
    const Tombstone& tombstone = *logs.tombstone_of(entry.id);
    const bool knows_text = !tombstone.text_hash.empty() || !tombstone.loose.empty();
    if (!knows_text || tombstone.text_hash == entry.hash || tombstone.loose == loose_text_hash(entry.text)) continue;
    if (TRY(context_.evidence.was_ended_knowingly(file, entry, tombstone))) TRY(delete_text(context_.memory, entry.id, entry.hash));
  }
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
