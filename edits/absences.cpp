#include "edits/absences.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "edits/act_log.h"
#include "edits/acts.h"
#include "edits/decisions.h"
#include "edits/merge_entries.h"
#include "edits/saves.h"
#include "parser/text_hash.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

// What became of the entry since does not unsay that a person took its line out: the entry may come back.
bool went_with_its_entry(const Chronicle& logs, const Absence& line) {
  const Tombstone* ended = logs.tombstone_of(line.id);
  return ended && removes(*ended) && ended->at <= line.since;
}

// The last one of the entry, if it says that.
const LedgerEntry* line_of_its_words(const Chronicle& logs, const std::string& id, const std::string& hash) {
  const auto& lines = logs.lines_of_entry(id);
  const auto last = std::ranges::find(lines.rbegin(), lines.rend(), id, &LedgerEntry::entry);
  return last != lines.rend() && is_merge(**last) && (*last)->run == act_id(id, hash, {}) ? *last : nullptr;
}

}  // namespace

bool rests_on_its_words(const Chronicle& logs, const std::string& id, const std::string& hash) {
  return line_of_its_words(logs, id, hash) != nullptr;
}

Status AbsenceSettlement::settle(const std::string& file) {
  FileRecord* record = state_.find(file);
  if (!record) return {};
  std::map<Verdict, std::vector<Absence>> judged;
  merges_.clear();
  read_.clear();
  for (Absence absence : record->absent) {
    const Verdict verdict = TRY(judge(*record, absence));
    judged[verdict].push_back(std::move(absence));
  }
  auto &waiting = judged[Verdict::waits], &unsaid = judged[Verdict::unsaid], &not_meant = judged[Verdict::not_meant];
  const auto &settled = judged[Verdict::settled], &held = judged[Verdict::held];
  if (context_.git_is_busy()) return {};  // what was read may be of another commit
  TRY(merge_entries(context_.memory, merges_));
  TRY(log_outcomes(vault_, acts_of_these(file, judged[Verdict::merged]), "merged"));
  TRY(log_outcomes(vault_, acts_of_these(file, held), "not meant"));
  waiting.insert(waiting.end(), held.begin(), held.end());
  // More than a person takes out entry by entry, and nobody is asked about a text without a comment: nothing is deleted.
  auto& let_go = judged[Verdict::let_go];
  std::ranges::move(unsaid, std::back_inserter(unsaid.size() > most_undone ? let_go : waiting));
  TRY(let_go_of_entries(context_.memory, let_go));
  std::ranges::move(let_go, std::back_inserter(not_meant));
  TRY(log_outcomes(vault_, acts_of_these(file, not_meant), "not meant"));
  const bool is_core = place_of(file) == Place::core;
  if (!settled.empty()) TRY(is_core ? demote_lines(context_.memory, settled) : delete_entries(context_.memory, file, settled));
  TRY(log_outcomes(vault_, acts_of_these(file, settled), is_core ? "demoted" : "deleted"));
  for (const Absence& absence : settled)
    (is_core ? context_.understood.demoted : context_.understood.deleted).push_back(absence.id);
  state_.record(file).absent = std::move(waiting);
  return {};
}

Status AbsenceSettlement::let_go_of_moved(const std::string& file, std::string_view bytes) {
  const auto lacks_some = [&](const FileRecord& record) {
    return record.file != file && place_of(record.file) == Place::consolidated && !record.absent.empty();
  };
  if (place_of(file) != Place::consolidated || std::ranges::none_of(state_.files, lacks_some)) return {};
  const SeenFile seen = see_file(Place::consolidated, bytes);
  for (FileRecord& record : state_.files) {
    if (!lacks_some(record)) continue;
    const auto has_stayed = [&](const Absence& one) {
      const SeenEntry* entry = find_seen(seen.entries, one.id);
      return !one.said_in.empty() || !entry || !entry->has_metadata;
    };
    const auto moved = std::ranges::stable_partition(record.absent, has_stayed);
    if (moved.empty() || context_.git_has_moved()) continue;  // else what stands here may be of another commit
    TRY(log_outcomes(vault_, acts_of_these(record.file, std::span(moved.begin(), moved.end())), "not meant"));
    record.absent.erase(moved.begin(), moved.end());
  }
  return {};
}

Result<AbsenceSettlement::Verdict> AbsenceSettlement::judge(const FileRecord& record, Absence& absence) {
  const bool is_core = place_of(record.file) == Place::core;
  // Not before it is known what was saved: a line that says something else is a correction, and git may be on its way to another
  // commit, in which it stands.
  if (const PresentFile& now = context_.present.of(record.file); find_seen(now.seen.entries, absence.id))
    return TRY(is_read(record.file)) ? Verdict::not_meant : Verdict::waits;
  if (absence.since > context_.now) absence.since = context_.now;  // the clock went back: its time starts again
  if (is_undecided(record) || (!is_core && is_asked_about(absence.id))) return Verdict::waits;
  const bool is_in_core = !absence.said_in.empty() && place_of(absence.said_in) == Place::core;
  if (is_in_core && !context_.present.of(absence.said_in).exists) return Verdict::waits;  // a missing MEMORY.md decides nothing
  const FileRecord* keeper = absence.said_in.empty() ? nullptr : state_.find(absence.said_in);
  if (keeper && is_undecided(*keeper)) return Verdict::waits;
  const Chronicle& logs = *TRY(context_.evidence.logs());
  const bool has_ended =
      rests_on_its_words(logs, absence.id, absence.hash) ? logs.is_removed(absence.id) : logs.explains_removal(absence.id);
  if (is_core ? went_with_its_entry(logs, absence) : has_ended) return Verdict::not_meant;
  const SeenFile& then = *TRY(file_then(record.file, absence));
  if (find_hidden(context_.present.of(record.file).seen, then.sections, absence.id)) return Verdict::waits;  // until that is mended
  const SeenEntry* stood = find_seen(then.entries, absence.id);
  const std::string loose = stood ? loose_text_hash(stood->text) : absence.hash;  // as if it had no marks
  bool is_unsaid = false;
  if (!is_core) {
    const bool was_nowhere = absence.said_in.empty();
    if (was_nowhere && context_.git_is_busy()) return Verdict::waits;  // what would be said of it may be of another commit
    if (was_nowhere && context_.other_places().name(absence.id, record.file)) return Verdict::not_meant;
    const std::string was_said_in = std::exchange(absence.said_in, TRY(where_said(record, absence, loose)));
    if (!absence.said_in.empty()) {
      let_words_hold(logs, absence, loose, was_nowhere);
      return was_nowhere ? Verdict::held : Verdict::waits;
    }
    if (TRY(context_.other_places().have(absence.id, absence.hash, loose, record.file))) return Verdict::not_meant;
    is_unsaid = !was_nowhere;
    const bool may_be_asked = is_unsaid && place_of(was_said_in) == Place::consolidated && !TRY(is_read(was_said_in));
    if (may_be_asked) {
      absence.said_in = was_said_in;
      return Verdict::waits;
    }
    if (is_unsaid && TRY(has_left_with_git(record, absence, stood))) return Verdict::let_go;
    if (is_unsaid) absence.since = context_.now;
  }
  if (const std::string into = stood ? TRY(merged_into(record.file, then, *stood)) : std::string(); !into.empty()) {
    if (context_.git_is_busy()) return Verdict::waits;
    merges_.push_back({absence, into});
    return Verdict::merged;
  }
  const auto left = absence_settles - (context_.now - absence.since);
  if (left.count() <= 0) return Verdict::settled;
  context_.understood.look_again_in(left);
  return is_unsaid ? Verdict::unsaid : Verdict::waits;
}

Result<std::string> AbsenceSettlement::where_said(const FileRecord& record, const Absence& absence, const std::string& loose) {
  for (const std::string& file : {record.file, absence.said_in})
    if (!file.empty() && !text_in(file, absence, loose).empty()) return file;
  return context_.other_places().that_says(absence.hash, loose, record.file);
}

// What the entry was made of rests on the text that says it: nothing of it is folded anew, here or on another machine.
void AbsenceSettlement::let_words_hold(const Chronicle& logs, const Absence& absence, const std::string& loose, bool was_nowhere) {
  const std::string text = text_in(absence.said_in, absence, loose);
  const LedgerEntry* known = line_of_its_words(logs, absence.id, absence.hash);  // another machine may have said so
  if (!text.empty() && (!known || known->into != text)) merges_.push_back({absence, text});
  if (was_nowhere && known && known->into == text) context_.understood.said_again.push_back(text);
}

// The id of the text in this file that says what the entry said; empty: none does.
std::string AbsenceSettlement::text_in(const std::string& file, const Absence& absence, const std::string& loose) {
  const auto& words = context_.present.words_of(file);
  for (const std::string& hash : {absence.hash, loose})
    if (const auto text = words.find(hash); text != words.end()) return text->second;
  return {};
}

// The file as it was when the entry stood in it; empty if that is no longer kept, and for MEMORY.md.
Result<const SeenFile*> AbsenceSettlement::file_then(const std::string& file, const Absence& entry) {
  const auto [known, is_new] = then_.try_emplace({file, entry.version});
  if (!is_new || place_of(file) == Place::core) return &known->second;
  const auto bytes = TRY(bytes_of(vault_, file, Version{Version::Kind::understood, entry.version, 0, {}}));
  if (bytes) known->second = see_file(Place::consolidated, *bytes);
  return &known->second;
}

// What was saved there last is understood.
Result<bool> AbsenceSettlement::is_read(const std::string& file) {
  if (const auto known = read_.find(file); known != read_.end()) return known->second;
  return read_[file] = TRY(is_understood(vault_, file, context_.present.of(file).bytes));
}

// What git has written over, or taken back, was taken out by nobody.
Result<bool> AbsenceSettlement::has_left_with_git(const FileRecord& record, const Absence& absence, const SeenEntry* stood) {
  const SeenEntry entry = stood ? *stood : SeenEntry{absence.id, absence.hash};
  return TRY(context_.evidence.undecided_by_git(record.file, {{entry, std::nullopt}})).contains(absence.id);
}

// A person took its words into another entry, which did not always have them: in one save with this, or before.
Result<std::string> AbsenceSettlement::merged_into(const std::string& file, const SeenFile& then, const SeenEntry& gone) {
  auto ids = context_.other_places().that_say(gone.text);
  if (ids.empty()) return std::string();
  const auto known = TRY(known_versions(vault_, file, TRY(versions_of(vault_, file))));
  for (std::string& id : ids) {
    const auto has_them = [&](const std::vector<SeenEntry>& entries) {
      const SeenEntry* one = find_seen(entries, id);
      return one && has_in_it(one->text, gone.text);
    };
    const bool always_had_them = has_them(then.entries) && std::ranges::all_of(known.versions, [&](const KnownVersion& version) {
                                   return !find_seen(version.entries, id) || has_them(version.entries);
                                 });
    if (!always_had_them) return std::move(id);
  }
  return std::string();
}

// With another file that it was taken out of.
bool AbsenceSettlement::is_asked_about(const std::string& id) const {
  return std::ranges::any_of(state_.files, [&](const FileRecord& record) {
    return record.question && std::ranges::find(record.question->gone, id, &Absence::id) != record.question->gone.end();
  });
}

bool AbsenceSettlement::is_undecided(const FileRecord& record) {
  const PresentFile& now = context_.present.of(record.file);
  return record.question || !now.readable || now.seen.conflicts || now.seen.unclear;
}

}  // namespace loci
