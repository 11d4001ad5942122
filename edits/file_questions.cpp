#include "edits/file_questions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "edits/absences.h"
#include "edits/act_log.h"
#include "edits/settled_facts.h"
#include "indexer/stored_entry.h"
#include "parser/core_file.h"

namespace loci {
namespace {

constexpr const char* first_consolidated_file = "consolidated/memory.md";

// What was absent already when the question was asked.
auto went_before(const Question& question) {
  return [&question](const Absence& one) { return one.version != question.before; };
}

// Asked about already, as it stands somewhere though it is not read.
auto hides(const std::string& id) {
  return [&id](const FileRecord& record) {
    return record.question && std::ranges::find(record.question->gone, id, &Absence::id) != record.question->gone.end();
  };
}

}  // namespace

void close_question(FileRecord& record, const Version& newest) {
  if (!record.question || record.question->kind == Question::Kind::missing) return;
  const bool only_loci_wrote = newest.kind == Version::Kind::wrote && newest.hash != record.question->before;
  if (record.question->kind == Question::Kind::gone && only_loci_wrote) return;
  const bool was_stuck = record.question->kind == Question::Kind::stuck;
  const auto is_absent = went_before(*record.question);
  for (const Absence& one : record.question->gone) {
    const bool is_known = std::ranges::find(record.absent, one.id, &Absence::id) != record.absent.end();
    if (!is_known && (was_stuck || is_absent(one))) record.absent.push_back(one);
  }
  record.question.reset();
}

void give_reason(Question& question, const Error& why) {
  question.why = why.message;
  question.line = why.line;
}

Status FileQuestions::ask_about_missing() {
  const Chronicle& logs = *TRY(context_.evidence.logs());
  std::map<std::string, Absence> named;
  for (const LedgerEntry& line : logs.logs().ledger) {
    if (line.entry.empty() || line.entry_hash.empty() || logs.explains_removal(line.entry)) continue;
    if (std::ranges::any_of(state_.files, hides(line.entry))) continue;
    Absence& absence = named.try_emplace(line.entry, Absence{line.entry, {}, {}, context_.now, {}}).first->second;
    absence.hash = line.entry_hash;
    absence.from.push_back(line.fact);
  }
  if (named.empty()) return {};
  TRY(context_.memory.catch_up_with_changes());
  Question question;
  question.file = first_consolidated_file;
  question.kind = Question::Kind::missing;
  question.since = context_.now;
  question.entries = named.size();
  for (auto& [id, absence] : named) {
    const auto standing = TRY(entry_with_id(context_.memory, id));
    if (!standing) question.gone.push_back(std::move(absence));
  }
  question.removed = question.touched = question.gone.size();
  if (!question.gone.empty()) state_.record(question.file).question = std::move(question);
  return {};
}

Status FileQuestions::look_for_what_was_missing() {
  FileRecord* record = state_.find(first_consolidated_file);
  if (!record || !record->question || record->question->kind != Question::Kind::missing) return {};
  Question& question = *record->question;
  const Chronicle& logs = *TRY(context_.evidence.logs());
  TRY(context_.memory.catch_up_with_changes());
  std::vector<Absence> missing;
  for (Absence& one : question.gone) {
    const auto standing = TRY(entry_with_id(context_.memory, one.id));
    if (!standing && !logs.explains_removal(one.id)) missing.push_back(std::move(one));
  }
  question.gone = std::move(missing);
  question.removed = question.touched = question.gone.size();
  if (question.gone.empty()) record->question.reset();
  return {};
}

void FileQuestions::wait_until_mended(const std::string& file, const PresentFile& now, std::vector<Absence> hidden,
                                      const std::string& newest) {
  FileRecord& record = state_.record(file);
  if (record.question && record.question->kind != Question::Kind::hidden) return;
  const std::optional<Question> earlier = std::exchange(record.question, std::nullopt);
  const auto is_hidden = [&](const Absence& one) { return std::ranges::find(hidden, one.id, &Absence::id) != hidden.end(); };
  std::erase_if(record.absent, is_hidden);
  for (Absence one : earlier ? earlier->gone : std::vector<Absence>()) {
    if (is_hidden(one) || find_seen(now.seen.entries, one.id)) continue;
    one.since = now.saved_at > one.since && now.saved_at <= context_.now ? now.saved_at : context_.now;
    record.absent.push_back(std::move(one));
  }
  if (hidden.empty()) return;
  Question question;
  question.file = file;
  question.kind = Question::Kind::hidden;
  question.since = earlier ? earlier->since : context_.now;
  for (const HiddenEntry& one : now.seen.hidden)
    if (question.line == 0 && std::ranges::find(hidden, one.id, &Absence::id) != hidden.end()) question.line = one.line;
  question.removed = question.touched = hidden.size();
  question.entries = now.seen.entries.size() + hidden.size();
  question.before = newest;
  question.gone = std::move(hidden);
  record.question = std::move(question);
  record.looked_at = now.signature;
}

Result<Absence> FileQuestions::absence_of(const std::string& file, const SeenEntry& entry, Instant since, const Version& version) {
  Absence absence{entry.id, entry.hash, entry.from, since, version.hash};
  if (place_of(file) != Place::consolidated || entry.as_written) return absence;
  const auto bytes = TRY(bytes_of(vault_, file, version));
  std::string filed = bytes ? TRY(file_missing_words(context_.memory, *bytes, entry)) : std::string();
  if (!filed.empty() && std::ranges::find(absence.from, filed) == absence.from.end()) absence.from.push_back(std::move(filed));
  return absence;
}

// What had gone before is asked about with the rest, unless it is back.
Status FileQuestions::add_absent(const std::string& file, std::vector<Absence> earlier, Question& question) {
  const SeenFile& now = context_.present.of(file).seen;
  const Chronicle& logs = *TRY(context_.evidence.logs());
  for (Absence& one : earlier) {
    const bool is_known = std::ranges::find(question.gone, one.id, &Absence::id) != question.gone.end();
    const bool asks_for_tombstone = place_of(file) == Place::core || rests_on_its_words(logs, one.id, one.hash);
    const bool is_ended = asks_for_tombstone ? logs.is_removed(one.id) : logs.explains_removal(one.id);
    if (is_known || is_ended || find_seen(now.entries, one.id)) continue;
    question.gone.push_back(std::move(one));
    ++question.touched;
    ++question.entries;
  }
  return {};
}

Status FileQuestions::ask(const std::string& file, Question::Kind kind, const Version& base, const SaveReading& reading) {
  FileRecord& record = state_.record(file);
  Question question;
  question.file = file;
  question.kind = kind;
  question.since = record.question ? record.question->since : context_.now;
  question.touched = reading.changes.size();
  question.entries = reading.changes.size() + reading.same;
  question.before = base.hash;
  std::set<std::string> known;  // the log has them, by their last look
  if (record.question)
    for (const Act& act : TRY(acts_of(vault_)))
      if (act.file == file && act.outcome == asked_about_it) known.insert(act.id);
  for (const Change& change : reading.changes) {
    if (!change.before.has_metadata) continue;
    if (change.after) ++question.changed;
    if (!change.after) question.gone.push_back(TRY(absence_of(file, change.before, context_.now, base)));
    const std::string after = change.after ? change.after->hash : std::string();
    if (!known.contains(act_id_in(file, change.before.id, change.before.hash, after)))
      (void)log_change(vault_, context_.now, file, base, reading, change, asked_about_it);
  }
  if (kind != Question::Kind::unreadable) {
    std::vector<Absence> earlier;
    const auto is_said = [&](const Absence& one) {
      return !one.said_in.empty() && context_.present.words_of(one.said_in).contains(one.hash);
    };
    std::ranges::copy_if(record.absent, std::back_inserter(earlier), std::not_fn(is_said));
    std::erase_if(record.absent, std::not_fn(is_said));
    TRY(log_outcomes(vault_, acts_of_these(file, earlier), "asked"));
    if (record.question) std::ranges::copy_if(record.question->gone, std::back_inserter(earlier), went_before(*record.question));
    TRY(add_absent(file, std::move(earlier), question));
  }
  question.removed = question.gone.size();
  record.question = std::move(question);
  record.looked_at.reset();
  return {};
}

Status FileQuestions::add_gone_since(const std::string& file, const Save& present) {
  Question& question = *state_.record(file).question;
  const auto asked = place_of_last(present.known, question.before);
  if (!asked || context_.is_being_saved(file) || context_.git_is_busy()) return {};
  const std::span<const Version> since = std::span(present.known).subspan(*asked + 1);
  const auto known = TRY(known_versions(vault_, file, {since.begin(), since.end()}, since.size()));
  const SeenFile now = context_.present.of(file).seen;
  const std::vector<SeenEntry> stood = all_entries(known.versions);
  auto changes = changes_between(stood, now.entries, TRY(context_.evidence.explained(place_of(file), known.versions)));
  const auto elsewhere = TRY(context_.that_stand_elsewhere(file, stood, now.entries));
  const auto by_git = TRY(context_.evidence.undecided_by_git(file, changes));
  for (const Change& change : changes) {
    const std::string& id = change.before.id;
    const bool is_asked = std::ranges::find(question.gone, id, &Absence::id) != question.gone.end();
    if (change.after || !change.before.has_metadata || is_asked || elsewhere.contains(id) || by_git.contains(id)) continue;
    const auto last = std::ranges::find_if(known.versions.rbegin(), known.versions.rend(),
                                           [&](const KnownVersion& version) { return find_seen(version.entries, id) != nullptr; });
    const Version& version = since[known.places[static_cast<size_t>(known.versions.rend() - last) - 1]];
    question.gone.push_back(TRY(absence_of(file, change.before, context_.now, version)));
    ++question.removed;
    ++question.touched;
  }
  return {};
}

const Question* FileQuestions::about_all(const std::string& file) const {
  const FileRecord* record = state_.find(file);
  const bool is_asked = record && record->question && record->question->kind == Question::Kind::wholesale;
  return is_asked ? &*record->question : nullptr;
}

// A command of a person's is not unsaid by a save in which nothing shows that it was heard of.
Result<bool> FileQuestions::lacks_unheard_correction(const std::string& file, const SaveMeaning& meaning) {
  if (place_of(file) == Place::core) return false;
  const auto lacking = TRY(context_.evidence.lacking_corrections(meaning.reading.changes));
  return std::ranges::any_of(lacking, [&](const SeenEntry& entry) { return !meaning.heard_of.contains({entry.id, entry.hash}); });
}

Result<bool> FileQuestions::asks_about(const std::string& file, const SaveMeaning& meaning) {
  const SaveReading& reading = meaning.reading;
  const FileRecord& record = state_.record(file);
  const bool is_undone = reading.undone && reading.made == Made::from_newest;
  const bool lacks_correction = is_undone && TRY(lacks_unheard_correction(file, meaning));
  const auto gone = static_cast<size_t>(std::ranges::count_if(reading.changes, [](const Change& one) { return !one.after; }));
  std::set<std::string_view> touched;  // what was noted before somebody was stopped is still a change
  for (const Change& change : reading.changes) touched.insert(change.before.id);
  for (const Absence& absence : record.absent)
    if (absence.said_in.empty()) touched.insert(absence.id);
  // Which is a person's to answer, whatever has become of some of its entries since.
  const Question* asked = about_all(file);
  std::string why = asked ? asked->why : std::string();
  const bool is_large = is_wholesale(touched.size(), touched.size() + reading.same) || (is_undone && gone > most_undone);
  if (!meaning.apart && !lacks_correction && !asked && !is_large) return false;
  TRY(ask(file, Question::Kind::wholesale, meaning.base, reading));
  Question& question = *state_.record(file).question;
  if (meaning.apart)
    give_reason(question, *meaning.apart);
  else if (lacks_correction)
    give_reason(question, {ErrorCode::refused, "as it was before you corrected an entry", ""});
  else
    question.why = std::move(why);
  return true;
}

Result<bool> FileQuestions::is_put_back(const std::string& file, const PresentFile& now, const std::vector<Version>& versions) {
  const Question* asked = about_all(file);
  const auto then = asked ? place_of_last(versions, asked->before) : std::nullopt;
  if (!then || *then + 1 == versions.size()) return false;
  const auto explained = TRY(context_.evidence.explained(place_of(file)));
  for (const size_t i : {*then, versions.size() - 1}) {
    const auto bytes = TRY(bytes_of(vault_, file, versions[i]));
    if (!bytes || !changes_between(see_file(place_of(file), *bytes).entries, now.seen.entries, explained).empty()) return false;
  }
  return !context_.is_being_saved(file) && !context_.git_is_busy();
}

}  // namespace loci
