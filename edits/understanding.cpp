#include "edits/understanding.h"

#include <algorithm>
#include <map>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/copies.h"
#include "edits/decisions.h"
#include "edits/merge_file.h"
#include "edits/renames.h"
#include "indexer/stored_entry.h"
#include "memory/add.h"
#include "parser/core_file.h"
#include "parser/text_hash.h"
#include "vault/git/sparse_checkout.h"
#include "vault/layout/scan.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/write_names.h"

namespace loci {

using std::chrono::milliseconds;

namespace {

// Lines without metadata that a person's save took out of the version in front of it. No log tells of those.
std::set<std::string> taken_out_by_hand(std::span<const KnownVersion> versions) {
  std::set<std::string> ids;
  for (size_t i = 1; i < versions.size(); ++i) {
    if (versions[i].by_loci) continue;
    for (const SeenEntry& entry : versions[i - 1].entries)
      if (!entry.has_metadata && !find_seen(versions[i].entries, entry.id)) ids.insert(entry.id);
  }
  return ids;
}

// What a person is asked about the file as a whole.
const Question* question_about_all(const FileRecord* record) {
  const bool is_asked = record && record->question && record->question->kind == Question::Kind::wholesale;
  return is_asked ? &*record->question : nullptr;
}

}  // namespace

Result<Understood> Understanding::of(std::set<std::string> files) {
  TRY(follow_renames(vault_, state_, present_, files));
  // A correction in the core rewrites the file of its entry, whose own edits come first, and which of several copies is that entry.
  const auto is_core = [](const std::string& file) { return place_of(file) == Place::core; };
  for (const std::string& file : files)
    if (!is_core(file)) TRY(look_at_or_ask(file));
  if (has_saves_ || are_copies_left(memory_)) TRY(let_go_of_copies());
  for (const std::string& file : files)
    if (is_core(file)) TRY(look_at_or_ask(file));
  std::vector<std::string> records;  // what is settled may write, and make another one
  for (const FileRecord& record : state_.files) records.push_back(record.file);
  for (const std::string& file : records) TRY(settle(file));
  TRY(state_.save());
  return std::move(understood_);
}

bool Understanding::git_has_moved() {
  if (git_fingerprint_around(vault_.root()) == git_marks_) return false;
  waits_ = true;
  understood_.look_again_in(milliseconds(0));
  return true;
}

// It is looked at again, once it is as it is meant.
bool Understanding::is_being_saved(const std::string& file) {
  if (!present_.has_changed(file)) return false;
  waits_ = true;
  understood_.look_again_in(milliseconds(0));
  return true;
}

Status Understanding::settle(const std::string& file) {
  const FileRecord* record = state_.find(file);
  if (!record || record->absent.empty() || git_has_moved()) return {};
  AbsenceSettlement absences(
      memory_, state_, evidence_, present_, [this]() -> OtherPlaces& { return other_places(); }, understood_);
  TRY(absences.settle(file));
  present_.was_written(core_file_name);  // what was deleted leaves it
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
  present_.was_written(file);
  const PresentFile& now = present_.of(file);
  SaveReading reading{Made::from_newest, 0,
                      changes_between(known->entries, now.seen.entries, TRY(evidence_.explained(place_of(file))))};
  reading.same = known->entries.size() - reading.changes.size();
  TRY(questions_.ask(file, Question::Kind::stuck, versions.back(), reading));
  give_reason(*state_.record(file).question, why);
  understood_.look_again_in(milliseconds(0));
  return {};
}

Status Understanding::look_at(const std::string& file) {
  if (is_ignored(vault_, file)) return {};
  TRY(settle(file));  // what has been absent for long enough is no matter of what was saved since
  const auto stat = examine(vault_, file);
  const FileRecord* known = state_.find(file);
  if (stat && *stat && known && known->looked_at &&
      *known->looked_at == FileSignature{(*stat)->size, (*stat)->inode, (*stat)->mtime_ns, (*stat)->ctime_ns})
    return {};
  const auto versions = TRY(versions_of(vault_, file));
  const PresentFile now = present_.of(file);
  if (!now.readable && place_of(file) == Place::consolidated) return look_at_unreadable(file, versions);
  if (!now.readable || now.seen.conflicts || now.seen.unclear) return {};
  if (!now.exists) return look_at_missing(file, versions);
  FileRecord& record = state_.record(file);
  const bool came_back = record.gone_since && now_ - *record.gone_since >= absence_settles;
  record.gone_since.reset();
  auto hidden = TRY(hidden_in(file, now, versions));
  questions_.wait_until_mended(file, now, std::move(hidden), versions.empty() ? std::string() : versions.back().hash);
  if (record.question && record.question->kind == Question::Kind::hidden) return {};
  if (versions.empty() || came_back) return see_first(file, now);
  const auto saves = TRY(saves_of(vault_, file, now, versions));
  for (const Save& save : saves) {
    if (TRY(understand_save(file, save, now.saved_at))) continue;
    const bool is_asked = question_about_all(state_.find(file)) != nullptr;
    return save.is_present || !is_asked ? Status() : put_back_meanwhile(file, saves.back());
  }
  return look_for_forgotten(file, now);
}

// Somebody took the whole file away, or renamed it.
Status Understanding::look_at_missing(const std::string& file, const std::vector<Version>& versions) {
  if (versions.empty() || is_left_out_of_checkout(vault_.root(), file)) return {};
  FileRecord& record = state_.record(file);
  record.looked_at.reset();
  if (place_of(file) == Place::core) {  // nothing is shown, and nothing is promoted: `status` says so
    if (!record.gone_since) record.gone_since = now_;
    return {};
  }
  const auto known = TRY(newest_known(vault_, file, versions));
  if (!known || is_being_saved(file)) return {};
  SaveReading reading{Made::from_newest, 0, changes_between(known->entries, {}, TRY(evidence_.explained(place_of(file))))};
  const auto elsewhere = TRY(that_stand_elsewhere(file, known->entries, {}));
  std::erase_if(reading.changes,
                [&](const Change& change) { return !change.before.has_metadata || elsewhere.contains(change.before.id); });
  reading.same = known->entries.size() - reading.changes.size();
  if (!elsewhere.empty() && !is_wholesale(reading.changes.size(), known->entries.size())) {
    TRY(take_note(file, {{}, versions, false}, versions.back(), reading, now_));  // renamed: what is missing was taken out
  } else if (!reading.changes.empty()) {
    TRY(questions_.ask(file, Question::Kind::gone, versions.back(), reading));
    return {};
  }
  // Whoever makes a file of that name anew, loci too, takes nothing out of what stood in this one.
  TRY(state_.save());
  TRY(note_version(vault_, file, Version::Kind::understood, {}));
  if (record.absent.empty()) state_.forget_file(file);
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

// What is known to have stood in the file, and stands in its bytes though it is not read.
Result<std::vector<Absence>> Understanding::hidden_in(const std::string& file, const PresentFile& now,
                                                      const std::vector<Version>& versions) {
  std::vector<Absence> hidden;
  if (now.seen.hidden.empty()) return hidden;
  const Place place = place_of(file);
  std::map<std::string, SeenFile> seen_by_version;
  const auto seen_then = [&](const std::string& version) -> Result<const SeenFile*> {
    const auto [seen, is_new] = seen_by_version.try_emplace(version);
    if (!is_new) return &seen->second;
    const auto bytes = TRY(bytes_of(vault_, file, Version{Version::Kind::understood, version, 0, {}}));
    if (bytes) seen->second = see_file(place, *bytes);
    return &seen->second;
  };
  const SeenFile none;
  const SeenFile& then = versions.empty() ? none : *TRY(seen_then(versions.back().hash));
  const Chronicle& logs = *TRY(evidence_.logs());
  const FileRecord& record = state_.record(file);
  std::vector<Absence> waiting = record.absent;
  if (record.question) std::ranges::copy(record.question->gone, std::back_inserter(waiting));
  for (const HiddenEntry& one : now.seen.hidden) {
    const bool has_ended = place == Place::core ? logs.explains_line_removal(one.id) : logs.explains_removal(one.id);
    if (has_ended || (place != Place::core && other_places().name(one.id))) continue;
    const SeenEntry* stood = find_seen(then.entries, one.id);
    const auto known = std::ranges::find(waiting, one.id, &Absence::id);
    const auto line = logs.promoted().find(one.id);
    const auto settled = logs.lines_of_entry(one.id);
    if (known != waiting.end()) {
      if (find_hidden(now.seen, TRY(seen_then(known->version))->sections, one.id)) hidden.push_back(*known);
    } else if (stood) {
      if (find_hidden(now.seen, then.sections, one.id))
        hidden.push_back({one.id, stood->hash, stood->from, now_, versions.back().hash});
    } else if (place == Place::core && line != logs.promoted().end()) {
      hidden.push_back({one.id, std::string(line->second.line_hash), {}, now_, {}});
    } else if (place != Place::core && !settled.empty()) {
      hidden.push_back({one.id, settled.back()->entry_hash, {}, now_, {}});
    }
  }
  return hidden;
}

// No version tells what it was: wordings are judged by what promotions wrote, and nothing by what is missing.
Status Understanding::see_first(const std::string& file, const PresentFile& now) {
  if (place_of(file) == Place::core) {
    const Chronicle& logs = *TRY(evidence_.logs());
    for (const SeenEntry& line : now.seen.entries) {
      const auto shown = logs.promoted().find(line.id);
      if (shown == logs.promoted().end() || logs.ever_promoted(line.id, line.hash)) continue;
      const auto bytes = TRY(read_file(vault_.files(), vault_.file(file)));  // each correction gives its line a new ref
      if (!TRY(correct_line(memory_, line.id, {std::string(shown->second.line_hash)}, bytes)).empty())
        understood_.corrected.push_back(line.id);
    }
  }
  if (place_of(file) == Place::consolidated) has_saves_ = true;
  state_.record(file).looked_at = now.signature;
  const auto after = TRY(read_file_if_any(vault_.files(), vault_.file(file)));
  TRY(note_version(vault_, file, Version::Kind::understood, after.value_or(now.bytes)));
  return look_for_forgotten(file, now);
}

// --- a save ---

Result<bool> Understanding::understand_save(const std::string& file, const Save& save, Instant saved_at) {
  const Version& newest = save.known.back();
  if (content_hash(save.bytes) == newest.hash) {
    FileRecord& record = state_.record(file);
    close_question(record, newest);
    record.looked_at = present_.of(file).signature;
    if (newest.kind != Version::Kind::understood && save.known.size() > 1) TRY(note_understood(file, save));
    return true;
  }
  if (place_of(file) == Place::consolidated) has_saves_ = true;
  auto meaning = TRY(meaning_of(file, save));
  if (meaning && save.is_present && is_being_saved(file)) return false;
  if (meaning && !TRY(carry_out(file, save, *meaning, saved_at))) return false;
  TRY(note_understood(file, save));
  return true;
}

Result<bool> Understanding::carry_out(const std::string& file, const Save& save, Meaning& meaning, Instant saved_at) {
  SaveReading& reading = meaning.reading;
  const bool differs = !reading.changes.empty() || reading.made != Made::from_newest || meaning.apart;
  if (differs) {
    if (TRY(waits_for_others(file, save, meaning))) return false;
    const auto by_git = TRY(evidence_.undecided_by_git(file, reading.changes));
    std::erase_if(reading.changes, [&](const Change& change) { return by_git.contains(change.before.id); });
    if (TRY(asks_about(file, meaning))) return false;
    if (meaning.joined) TRY(put_back(file, meaning.standing, meaning.base, reading, *meaning.joined));
  }
  if (place_of(file) == Place::core && save.is_present) TRY(let_go_of_copied_lines(memory_));
  if (differs) TRY(take_note(file, save, meaning.base, reading, saved_at));
  return true;
}

// What loci wrote while an earlier save is asked about is in no question: a buffer that was opened in between lacks what came
// since. Nothing is decided meanwhile, so one that equals what stood then is such a buffer, too.
Status Understanding::put_back_meanwhile(const std::string& file, const Save& save) {
  const auto asked = place_of_last(save.known, question_about_all(state_.find(file))->before);
  if (!asked) return {};
  const auto [known, places] = TRY(known_versions(vault_, file, save.known));
  size_t first = 0;  // behind the version that the question is about, which need not be one of these
  while (first < places.size() && places[first] <= *asked) ++first;
  const auto meanwhile = std::span(known).subspan(first);
  if (meanwhile.empty()) return {};
  const SeenFile saved = see_with_hidden(place_of(file), save.bytes, known);
  const auto reading = read_save(meanwhile, saved.entries, saved.frame, TRY(evidence_.explained(place_of(file))));
  size_t base = reading.base;
  while (reading.undone && base > 0 && meanwhile[base].by_loci) --base;
  const bool is_old = reading.made == Made::from_old_buffer || (reading.undone && base != reading.base);
  if (!is_old || is_being_saved(file)) return {};
  const Version& opened = save.known[places[first + base]];
  const auto elsewhere = TRY(that_stand_elsewhere(file, known.back().entries, saved.entries));
  const auto both = TRY(with_what_came_since(file, save, opened, elsewhere, taken_out_by_hand(meanwhile.subspan(base))));
  return both ? put_back(file, save, opened, SaveReading{Made::from_old_buffer, base, {}}, *both) : Status();
}

// None: all versions were purged, or are lost. Then it is as if the file were seen for the first time.
Result<std::optional<Understanding::Meaning>> Understanding::meaning_of(const std::string& file, const Save& save) {
  auto [known, places] = TRY(known_versions(vault_, file, save.known));
  if (known.empty()) return std::nullopt;
  const Place place = place_of(file);
  const SeenFile saved = see_with_hidden(place, save.bytes, known);
  const auto elsewhere = TRY(that_stand_elsewhere(file, known.back().entries, saved.entries));
  for (KnownVersion& version : known)
    std::erase_if(version.entries, [&](const SeenEntry& entry) { return elsewhere.contains(entry.id); });
  const Explained explained = TRY(evidence_.explained(place));
  Meaning meaning{read_save(known, saved.entries, saved.frame, explained), {}, save, {}, {}};
  if (!save.is_present) meaning.standing.bytes = present_.of(file).bytes;
  if (meaning.reading.made == Made::from_old_buffer) {
    const Version& opened = save.known[places[meaning.reading.base]];
    auto both = TRY(with_what_came_since(file, meaning.standing, opened, elsewhere,
                                         taken_out_by_hand(std::span(known).subspan(meaning.reading.base))));
    if (both)
      meaning.joined = std::move(*both);
    else if (save.is_present)
      meaning.apart = std::move(both.error());
  }
  // Of a file that is asked about already everything that differs from what stood before stays in question.
  const bool was_asked = question_about_all(state_.find(file)) != nullptr;
  if (was_asked) meaning.joined.reset();
  if (meaning.apart || was_asked) {
    meaning.reading = read_save(std::span(known).last(1), saved.entries, saved.frame, explained);
    meaning.reading.base = known.size() - 1;
  }
  meaning.base = save.known[places[meaning.reading.base]];
  // Who changes many lines of their own in user.md is not asked about them.
  if (place == Place::user && !meaning.reading.undone && !was_asked)
    std::erase_if(meaning.reading.changes, [](const Change& change) { return !change.before.has_metadata; });
  return meaning;
}

// For what may explain it, a sync tool's logs or git: what is missing till then is noted.
Result<bool> Understanding::waits_for_others(const std::string& file, const Save& save, const Meaning& meaning) {
  state_.record(file).unsure_absent.clear();
  if (!TRY(must_wait(file, save))) return git_has_moved();
  waits_ = true;
  for (const Change& change : meaning.reading.changes)
    if (!change.after && change.before.has_metadata)
      state_.record(file).unsure_absent.push_back(
          {change.before.id, change.before.hash, change.before.from, now_, meaning.base.hash});
  return true;
}

// Whether nobody but a person can say what is to stand; then they are asked.
Result<bool> Understanding::asks_about(const std::string& file, const Meaning& meaning) {
  const SaveReading& reading = meaning.reading;
  const FileRecord& record = state_.record(file);
  const bool is_undone = reading.undone && reading.made == Made::from_newest;
  // A command of a person's is not unsaid by a save in which nothing shows that it was heard of.
  const bool lacks_correction = is_undone && place_of(file) != Place::core && TRY(evidence_.lacks_correction(reading.changes));
  const auto gone = static_cast<size_t>(std::ranges::count_if(reading.changes, [](const Change& one) { return !one.after; }));
  const size_t touched = reading.changes.size() + record.absent.size();
  // Which is a person's to answer, whatever has become of some of its entries since.
  const Question* asked = question_about_all(&record);
  std::string why = asked ? asked->why : std::string();
  const bool is_large = is_wholesale(touched, touched + reading.same) || (is_undone && gone > most_undone);
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
  // Somebody's save of this very moment is for the next time.
  const auto bytes = versions.size() > save.known.size() ? TRY(bytes_of(vault_, file, versions.back())) : std::nullopt;
  TRY(note_version(vault_, file, Version::Kind::understood, bytes.value_or(save.bytes)));
  if (!bytes) state_.record(file).looked_at = present_.of(file).signature;
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
  if (TRY(evidence_.waits_for_stash(file, save.bytes))) return true;
  if (!evidence_.may_be_half_a_sync(present_.of(file).saved_at, newest_write, now_)) return false;
  const std::string hash = content_hash(save.bytes);
  if (record.unsure_of != hash || !record.unsure_since || *record.unsure_since > now_) record.unsure_since = now_;
  record.unsure_of = hash;
  if (!record.unsure_first || *record.unsure_first > now_) record.unsure_first = now_;
  const auto left = std::min(sync_settles - (now_ - *record.unsure_since), most_sync_waits - (now_ - *record.unsure_first));
  if (left <= milliseconds(0)) return false;
  understood_.look_again_in(left);
  return true;
}

// What left this file for another one is neither gone nor does it tell from which version a save was made.
Result<std::set<std::string>> Understanding::that_stand_elsewhere(const std::string& file, std::span<const SeenEntry> before,
                                                                  std::span<const SeenEntry> now) {
  std::set<std::string> ids;
  if (place_of(file) == Place::core) return ids;
  std::set<std::string> said;
  for (const SeenEntry& entry : now) said.insert({entry.hash, loose_text_hash(entry.text)});
  for (const SeenEntry& entry : before) {
    if (find_seen(now, entry.id)) continue;
    const std::string loose = loose_text_hash(entry.text);
    const bool is_said = said.contains(entry.hash) || said.contains(loose);
    // The file itself may say something else by now than what was read: a save was under way, or git.
    if (is_said || TRY(other_places().have(entry.id, entry.hash, loose, file))) ids.insert(entry.id);
  }
  return ids;
}

// What a person took out is pending, or just gone; a promoted line that says something else corrects its entry now.
Status Understanding::take_note(const std::string& file, const Save& save, const Version& base, const SaveReading& reading,
                                Instant saved_at) {
  const bool is_core = place_of(file) == Place::core;
  const bool is_dated = saved_at >= base.at && saved_at <= now_;
  const auto newest = is_core ? TRY(bytes_of(vault_, file, save.known.back())) : std::nullopt;
  const std::vector<SeenEntry> shown = newest ? see_file(Place::core, *newest).entries : std::vector<SeenEntry>();
  for (const Change& change : reading.changes) {
    if (!change.after && !is_decided_about(file, change.before)) {
      const bool is_told = change.before.has_metadata || (reading.undone && !is_core);
      if (is_told) TRY(log_change(vault_, now_, file, base, reading, change, taken_out));
      continue;
    }
    if (!change.before.has_metadata) continue;
    if (!change.after) {
      FileRecord& record = state_.record(file);
      if (std::ranges::find(record.absent, change.before.id, &Absence::id) != record.absent.end()) continue;
      record.absent.push_back(TRY(questions_.absence_of(file, change.before, is_dated ? saved_at : now_, base)));
      TRY(log_change(vault_, now_, file, base, reading, change, "waits"));
    } else if (!is_core) {
      TRY(log_change(vault_, now_, file, base, reading, change, "theirs"));
    } else {
      const auto bytes = save.is_present ? TRY(read_file(vault_.files(), vault_.file(file))) : save.bytes;
      const SeenEntry* last = find_seen(shown, change.before.id);  // by now, however old the buffer was that was saved
      if (!last) last = &change.before;
      const bool is_corrected = !TRY(correct_line(memory_, change.before.id, {last->hash, last->text}, bytes)).empty();
      if (is_corrected) understood_.corrected.push_back(change.before.id);
      present_.was_written(file);
      const bool has_ended = !is_corrected && TRY(evidence_.logs())->is_removed(change.before.id);  // and nobody had told them
      TRY(log_change(vault_, now_, file, base, reading, change, is_corrected ? "corrected" : "theirs", has_ended));
    }
  }
  return {};
}

// An old buffer with what loci wrote since it was opened, or why the two cannot be put together.
Result<Result<std::string>> Understanding::with_what_came_since(const std::string& file, const Save& save, const Version& base,
                                                                const std::set<std::string>& elsewhere,
                                                                std::set<std::string> by_hand) {
  const auto before = TRY(bytes_of(vault_, file, base)), newest = TRY(bytes_of(vault_, file, save.known.back()));
  if (!before || !newest) return Result<std::string>(save.bytes);
  const Place place = place_of(file);
  std::set<std::string> made_since = std::move(by_hand);
  const Chronicle& logs = *TRY(evidence_.logs());
  for (const SeenEntry& entry : see_file(place, *before).entries) {
    const Fate fate = logs.fate_of(entry.id);
    const bool is_taken_back = fate.tombstone && !removes(*fate.tombstone) && fate.kind == Fate::Kind::pending;
    const bool is_made = !logs.lines_of_entry(entry.id).empty() && !logs.explains_removal(entry.id);
    if (is_taken_back || is_made) made_since.insert(entry.id);
  }
  std::set<std::string> stay_away = elsewhere;
  const Explained explained = TRY(evidence_.explained(place));
  for (const SeenEntry& entry : see_file(place, *newest).entries)
    if (explained(entry, nullptr)) stay_away.insert(entry.id);
  return put_back_since(place, *before, *newest, save.bytes, stay_away, made_since);
}

// `bytes`: with what loci wrote since. Facts that went into an entry of which the person's text stands are pending again.
Status Understanding::put_back(const std::string& file, const Save& save, const Version& base, const SaveReading& reading,
                               const std::string& bytes) {
  const Place place = place_of(file);
  const auto newest = TRY(bytes_of(vault_, file, save.known.back()));
  if (!newest || bytes == save.bytes) return {};
  TRY(replace_file(vault_, file, save.bytes, bytes));
  understood_.put_back.push_back(file);
  present_.was_written(file);
  if (place == Place::consolidated) {
    const std::vector<SeenEntry> now = see_file(place, *newest).entries;
    for (const Change& change : reading.changes)
      if (const SeenEntry* written = find_seen(now, change.before.id);
          written && change.after && written->hash != change.before.hash)
        TRY(let_go_of_facts(memory_, *written, change.before, *change.after));
  }
  (void)make_searchable(memory_, {file});
  const std::string hash = content_hash(save.bytes);
  return log_act(vault_, {act_id(file, base.hash, hash), now_, file, "", "saved an old buffer", base.hash, base.at, true,
                          "put back", base.hash, hash});
}

// --- what stands although it was forgotten ---

// A text that was known to whoever deleted its entry is not found, though it is another than that which was deleted: somebody
// pasted it back, or undid what they had typed.
Status Understanding::look_for_forgotten(const std::string& file, const PresentFile& now) {
  if (place_of(file) != Place::consolidated) return {};
  const Chronicle& logs = *TRY(evidence_.logs());
  for (const SeenEntry& entry : now.seen.entries) {
    if (!entry.has_metadata || entry.as_written || !logs.is_removed(entry.id)) continue;
    const Tombstone& tombstone = *logs.tombstone_of(entry.id);
    const bool knows_text = !tombstone.text_hash.empty() || !tombstone.loose.empty();
    if (!knows_text || tombstone.text_hash == entry.hash || tombstone.loose == loose_text_hash(entry.text)) continue;
    if (TRY(evidence_.was_ended_knowingly(file, entry, tombstone))) TRY(delete_text(memory_, entry.id, entry.hash));
  }
  return {};
}

Status Understanding::let_go_of_copies() {
  std::set<std::string> untouchable;
  for (const FileRecord& record : state_.files)
    if (record.question) untouchable.insert(record.file);
  TRY(memory_.bring_up_to_date());
  memory_.drop_reader();
  return let_go_of_copied_entries(memory_, untouchable);
}

// Asks the index, too, which has to know the files as they are.
OtherPlaces& Understanding::other_places() {
  if (!other_places_) {
    (void)memory_.catch_up_with_changes();
    other_places_.emplace(memory_);
  }
  return *other_places_;
}

}  // namespace loci
