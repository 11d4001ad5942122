#include "edits/look.h"

#include <algorithm>

#include "edits/decisions.h"
#include "parser/parser.h"
#include "vault/layout/scan.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds soon{1000};  // no sooner than that for another look

const ParsedEntry* entry_with(const ParsedFile& parsed, const std::string& id) {
  const auto found = std::ranges::find(parsed.entries, id, &ParsedEntry::id);
  return found == parsed.entries.end() ? nullptr : &*found;
}

std::string key_of(const std::string& file, const std::string& id, const std::string& hash) {
  return file + '\n' + id + '\n' + hash;
}

}  // namespace

Result<Observed> Look::at(const std::vector<std::string>& changed) {
  std::set<std::string> files;
  for (const std::string& file : changed)
    if (is_watched_file(file)) files.insert(file);
  for (const FileRecord& record : state_.files)
    if (record.has_pending()) files.insert(record.file);
  return look_at(files);
}

Result<Observed> Look::at_everything() {
  std::set<std::string> files = watched_files(memory_.vault());
  for (const FileRecord& record : state_.files) files.insert(record.file);
  return look_at(files);
}

Result<Observed> Look::look_at(const std::set<std::string>& files) {
  memory_.drop_reader();
  for (const std::string& file : files) TRY(compare(file));
  for (FileRecord& record : state_.files) TRY(settle(record));
  TRY(write_state());
  forget_what_is_settled();
  for (const FileRecord& record : state_.files)
    if (record.question) observed_.waiting.push_back(*record.question);
  return std::move(observed_);
}

// --- what a save did ---

Status Look::compare(const std::string& file) {
  if (is_ignored(memory_.vault(), file)) return {};
  const Present& now = present(file);
  if (!now.readable || now.seen.conflicts || now.seen.unclear) return {};
  const auto accepted = TRY(state_.find(file) ? state_.accepted(file) : Result<std::optional<std::string>>(std::nullopt));
  if (!accepted) {  // seen for the first time
    if (now.exists) to_accept_[file] = now.bytes;
    if (now.exists) state_.record(file);
    return {};
  }
  if (now.exists && now.bytes == *accepted) {
    state_.record(file).question.reset();
    return {};
  }
  return compare(file, *accepted, now);
}

Status Look::compare(const std::string& file, const std::string& accepted, const Present& now) {
  const Place place = place_of(file);
  const SeenFile then = see_file(place, accepted);
  const auto evidence = TRY(evidence_of(place, then, now));
  const SaveVerdict verdict = judge_save(then.entries, now.seen.entries, evidence);
  FileRecord& record = state_.record(file);
  if (!verdict.ask) return take_note(record, verdict, accepted, then, now);
  Question question{file,
                    now.exists ? Question::Kind::wholesale : Question::Kind::gone,
                    record.question ? record.question->since : times_.wall,
                    verdict.removed.size(),
                    verdict.changed.size(),
                    verdict.touched,
                    verdict.entries,
                    verdict.held};
  record.question = std::move(question);
  return {};
}

Result<SaveEvidence> Look::evidence_of(Place place, const SeenFile& then, const Present& now) {
  const auto log = TRY(logs());
  SaveEvidence evidence{.file_is_gone = !now.exists, .by_git = by_git_};
  evidence.last_run = place == Place::core ? log->last_promoted() : log->last_run();
  for (const SeenEntry& before : then.entries) {
    const SeenEntry* after = find_seen(now.seen.entries, before.id);
    if (after && after->hash == before.hash) continue;
    const bool explained = place == Place::core
                               ? (after ? log->explains_line(before.id, after->hash) : log->explains_line_removal(before.id))
                               : (after ? log->explains_text(before.id, after->hash) : log->explains_removal(before.id));
    if (explained) evidence.explained.insert(before.id);
  }
  return evidence;
}

// Everything that the save did is accepted; what a person took out or reworded is pending.
Status Look::take_note(FileRecord& record, const SaveVerdict& verdict, const std::string& accepted, const SeenFile& then,
                       const Present& now) {
  record.question.reset();
  const bool is_core = place_of(record.file) == Place::core;
  const ParsedFile parsed = is_core ? ParsedFile{} : parse(accepted);
  for (const std::string& id : verdict.removed) {
    const SeenEntry& before = *find_seen(then.entries, id);
    std::erase_if(record.absent, [&](const Absence& known) { return known.id == id; });
    const ParsedEntry* entry = entry_with(parsed, id);
    record.absent.push_back({id, before.hash, entry && entry->metadata ? entry->metadata->from : std::vector<std::string>()});
    if (!entry) continue;
    const std::string_view markdown = std::string_view(accepted).substr(entry->begin, entry->end - entry->begin);
    TRY(state_.keep_absent(record.file, markdown));
  }
  if (is_core) {
    for (const std::string& ref : verdict.changed) {
      const bool known = std::ranges::any_of(record.reworded, [&](const Rewording& one) { return one.ref == ref; });
      if (!known && !by_git_)
        record.reworded.push_back({ref, find_seen(then.entries, ref)->hash, find_seen(now.seen.entries, ref)->hash});
    }
  }
  to_accept_[record.file] = now.bytes;
  return {};
}

// --- what has been pending ---

Status Look::settle(FileRecord& record) {
  TRY(settle_absences(record));
  return settle_rewordings(record);
}

Status Look::settle_absences(FileRecord& record) {
  std::vector<Absence> waiting, certain;
  for (const Absence& absence : record.absent) {
    const auto verdict = TRY(judge(record, absence));
    if (verdict == PendingVerdict::wait) waiting.push_back(absence);
    if (verdict == PendingVerdict::settle) certain.push_back(absence);
  }
  const bool is_core = place_of(record.file) == Place::core;
  if (!certain.empty()) {
    TRY(is_core ? demote_lines(memory_, certain) : delete_entries(memory_, state_, record.file, certain));
    for (const Absence& absence : certain) (is_core ? observed_.demoted : observed_.deleted).push_back(absence.id);
  }
  if (waiting.empty() && !record.absent.empty() && !is_core) TRY(state_.drop_absent(record.file));
  record.absent = std::move(waiting);
  return {};
}

Status Look::settle_rewordings(FileRecord& record) {
  std::vector<Rewording> waiting;
  for (Rewording& rewording : record.reworded) {
    const auto verdict = TRY(judge(record, rewording));
    if (verdict == PendingVerdict::wait) waiting.push_back(rewording);
    if (verdict != PendingVerdict::settle) continue;
    const auto corrected = TRY(correct_line(memory_, rewording.ref, present(record.file).bytes));
    if (corrected) observed_.corrected.push_back(rewording.ref);
  }
  record.reworded = std::move(waiting);
  return {};
}

Result<PendingVerdict> Look::judge(const FileRecord& record, const Absence& absence) {
  const auto log = TRY(logs());
  const bool is_core = place_of(record.file) == Place::core;
  PendingEvidence evidence{.by_git = by_git_, .undecided_file = is_undecided(record)};
  evidence.taken_back = find_seen(present(record.file).seen.entries, absence.id) != nullptr;
  evidence.explained = is_core ? log->explains_line_removal(absence.id) : log->explains_removal(absence.id);
  const std::string key = key_of(record.file, absence.id, {});
  const PendingVerdict verdict = judge_since(key, evidence, absence_settles);
  if (verdict != PendingVerdict::settle || is_core) return verdict;
  if (!other_places_) other_places_.emplace(memory_);
  const auto elsewhere = TRY(other_places_->have(absence, record.file));
  return elsewhere ? PendingVerdict::dismiss : verdict;
}

Result<PendingVerdict> Look::judge(const FileRecord& record, Rewording& rewording) {
  const auto log = TRY(logs());
  PendingEvidence evidence{.by_git = by_git_, .undecided_file = is_undecided(record)};
  if (!evidence.undecided_file) {
    const SeenEntry* line = find_seen(present(record.file).seen.entries, rewording.ref);
    evidence.taken_back = !line || line->hash == rewording.shown;  // one that went is an absence
    if (line) rewording.present = line->hash;                      // under another key: its time starts again
  }
  evidence.explained = log->explains_removal(rewording.ref) || log->explains_line(rewording.ref, rewording.present);
  return judge_since(key_of(record.file, rewording.ref, rewording.present), evidence, rewording_settles);
}

// A clock that was set back starts the time again; one that was set forward is held by the steady one.
PendingVerdict Look::judge_since(const std::string& key, PendingEvidence evidence, std::chrono::milliseconds settles) {
  auto [since, is_new] = since_.emplace(key, times_);
  if (times_.wall < since->second.wall) since->second = times_;
  evidence.wall = times_.wall - since->second.wall;
  evidence.steady = std::chrono::floor<std::chrono::milliseconds>(times_.steady - since->second.steady);
  const PendingVerdict verdict = judge_pending(evidence, settles);
  if (verdict != PendingVerdict::wait) return verdict;
  still_pending_.insert(key);
  const auto left = std::max<std::chrono::milliseconds>(soon, settles - std::min(evidence.wall, evidence.steady));
  if (!evidence.undecided_file) observed_.again_in = std::min(observed_.again_in.value_or(left), left);
  return verdict;
}

// --- files, logs, state ---

const Look::Present& Look::present(const std::string& file) {
  const auto [found, is_new] = present_.try_emplace(file);
  Present& now = found->second;
  if (!is_new) return now;
  const Vault& vault = memory_.vault();
  auto bytes = read_file_if_any(vault.files(), vault.file(file), static_cast<size_t>(vault.config().max_file_bytes));
  now.readable = bytes.has_value();
  now.exists = bytes && *bytes;
  if (now.exists) now.bytes = std::move(**bytes);
  now.seen = now.exists ? see_file(place_of(file), now.bytes) : SeenFile{};
  if (!now.exists && place_of(file) == Place::core) now.seen.unclear = true;  // the markers went with the file
  return now;
}

bool Look::is_undecided(const FileRecord& record) {
  const Present& now = present(record.file);
  return record.question || !now.readable || now.seen.conflicts || now.seen.unclear;
}

Result<const LogEvidence*> Look::logs() {
  if (logs_) return &*logs_;
  auto read = TRY(LogEvidence::read(memory_.vault()));
  logs_ = std::move(read);
  return &*logs_;
}

// The records come first: what is missing must be known before the copy that has it is gone.
Status Look::write_state() {
  state_.git = git_;
  TRY(state_.save());
  for (const auto& [file, bytes] : to_accept_) TRY(state_.accept(file, bytes));
  return {};
}

void Look::forget_what_is_settled() {
  std::erase_if(since_, [&](const auto& pending) { return !still_pending_.contains(pending.first); });
}

}  // namespace loci
