#include "edits/resolve.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "edits/act_log.h"
#include "edits/acts.h"
#include "edits/answers.h"
#include "edits/conflict_words.h"
#include "edits/decisions.h"
#include "edits/doubtful.h"
#include "edits/ended_elsewhere.h"
#include "edits/git_conflicts.h"
#include "edits/merge_file.h"
#include "edits/other_places.h"
#include "edits/seen_file.h"
#include "edits/take_back.h"
#include "edits/understand.h"
#include "memory/file_changes.h"
#include "memory/restore.h"
#include "memory/vault_logs.h"
#include "parser/core_file.h"
#include "parser/entry_back.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"
#include "parser/text_lines.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds lock_patience{10'000};

std::unexpected<Error> nothing_asked(const std::string& file) {
  return fail(ErrorCode::not_found, "nothing about '" + file + "' waits for an answer", "'loci resolve' lists what does");
}

Result<std::string> present_bytes(const Vault& vault, const std::string& file) {
  auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  return std::move(bytes).value_or(std::string());
}

struct Said {
  std::string id, text, hash;
};

// Entries with their text, or promoted lines.
std::vector<Said> said_in(Place place, std::string_view bytes) {
  std::vector<Said> said;
  if (place != Place::core) {
    for (ParsedEntry& entry : parse(bytes).entries) said.push_back({entry.id, entry.text, entry.hash});
    return said;
  }
  if (const auto core = read_core(bytes)) {
    const std::vector<SeenEntry> seen = see_file(place, bytes).entries;
    for (size_t i = 0; i < seen.size(); ++i) said.push_back({seen[i].id, core->lines[i].text, seen[i].hash});
  }
  return said;
}

std::vector<EntryChange> changes_between(Place place, std::string_view before, std::string_view after) {
  const std::vector<Said> then = said_in(place, before), now = said_in(place, after);
  std::vector<EntryChange> changes;
  for (const Said& one : then) {
    const auto found = std::ranges::find(now, one.id, &Said::id);
    if (found == now.end() || found->hash != one.hash)
      changes.push_back({one.id, one.text, found == now.end() ? std::string() : found->text});
  }
  for (const Said& one : now)
    if (std::ranges::find(then, one.id, &Said::id) == then.end()) changes.push_back({one.id, {}, one.text});
  return changes;
}

// The file as it was when the first of what is asked about stood there: what went before that counts with it.
Result<std::string> bytes_before(const Vault& vault, const Question& question) {
  const auto version = [&](const std::string& hash) {
    return bytes_of(vault, question.file, Version{Version::Kind::understood, hash, 0, {}});
  };
  std::string before = TRY(version(question.before)).value_or(std::string());
  std::map<std::string, std::set<std::string>> earlier;
  for (const Absence& one : question.gone)
    if (one.version != question.before && !one.version.empty()) earlier[one.version].insert(one.id);
  for (const auto& [hash, ids] : earlier)
    if (const auto bytes = TRY(version(hash))) before = TRY(with_entries_of(place_of(question.file), before, *bytes, ids));
  return before;
}

// A question, what it is about, and the state that it is in, locked.
struct Asked {
  EditState state;
  Question question;
  std::string before, now;
};

Result<Asked> asked_about(const Vault& vault, const std::string& file) {
  auto state = TRY(EditState::open(vault, lock_patience));
  const FileRecord* record = state.find(file);
  if (!record || !record->question) return nothing_asked(file);
  if (!ends_by_answer(record->question->kind)) return std::unexpected(why_no_answer_ends(*record->question));
  Question question = *record->question;
  auto before = TRY(bytes_before(vault, question));
  auto now = TRY(present_bytes(vault, file));
  return Asked{std::move(state), std::move(question), std::move(before), std::move(now)};
}

// Nothing of a file that cannot be read: that there is a question does not hang on it.
std::vector<EntryChange> changes_asked_about(const Vault& vault, const Question& question) {
  if (question.kind == Question::Kind::unreadable) return {};
  const auto before = bytes_before(vault, question), now = present_bytes(vault, question.file);
  return before && now ? changes_between(place_of(question.file), *before, *now) : std::vector<EntryChange>();
}

bool is_asked_about(const std::vector<OpenQuestion>& open, const std::string& file) {
  return std::ranges::any_of(
      open, [&](const OpenQuestion& one) { return one.question.kind == Question::Kind::conflict && one.question.file == file; });
}

// What each side says where they differ, as it is asked about: by its id, or words without one against those in their place.
std::vector<EntryChange> changes_of_conflict(const std::string& file, ConflictSides sides) {
  if (sides.ours.contains('\0') || sides.theirs.contains('\0')) return {};  // a picture has no words
  const Place place = place_of(file) == Place::core ? Place::core : Place::note;
  const auto ours = see_file(place, sides.ours).entries, theirs = see_file(place, sides.theirs).entries;
  auto changes = changes_between(place, sides.ours, sides.theirs);
  std::erase_if(changes, [&](const EntryChange& one) {
    const SeenEntry* entry = find_seen(ours, one.id) ? find_seen(ours, one.id) : find_seen(theirs, one.id);
    return !entry->has_metadata;
  });
  std::vector<EntryChange> all;
  for (Disagreement& one : settle_words(sides, [](const Disagreement&) { return std::nullopt; }, {}))
    all.push_back({{}, std::move(one.ours), std::move(one.theirs)});
  std::ranges::move(changes, std::back_inserter(all));
  return all;
}

OpenQuestion conflict_question(const Memory& memory, const GitConflict& conflict) {
  const auto bytes = present_bytes(memory.vault(), conflict.file);
  const auto marked = bytes ? sides_of_conflict(*bytes) : std::nullopt;
  const auto whole = sides_without_markers(memory.vault(), conflict);
  OpenQuestion open{{}, {}};
  open.question.file = conflict.file;
  open.question.kind = Question::Kind::conflict;
  open.question.since = memory.now();
  if (marked) {
    const auto here = file_had_here(memory.vault(), conflict);
    open.changes = changes_of_conflict(conflict.file, here ? as_seen_here(*marked, *here) : *marked);
  }
  if (whole) open.changes = changes_of_conflict(conflict.file, sides_of_files(whole->ours, whole->theirs));
  return open;
}

Status close_question(const Vault& vault, EditState& state, const Question& question, std::string_view understood,
                      const std::string& outcome) {
  FileRecord& record = state.record(question.file);
  record.question.reset();
  for (const Absence& one : question.gone) TRY(log_outcome(vault, act_id(one.id, one.hash, {}), outcome));
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

// What was forgotten or corrected while the question stood, rests on what was, or stands elsewhere by now, does not come back.
Result<std::string> without_ended(Memory& memory, std::string_view now, std::string bytes) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  TRY(memory.catch_up_with_changes());
  OtherPlaces others(memory);
  const SeenFile present = see_file(Place::consolidated, now);
  for (const SeenEntry& entry : see_file(Place::consolidated, bytes).entries) {
    const auto is_removed = [&](const std::string& id) { return logs.is_removed(id); };
    if (!entry.has_metadata || find_seen(present.entries, entry.id)) continue;
    const bool ended = is_removed(entry.id) || std::ranges::any_of(entry.from, is_removed);
    if (ended || TRY(others.have(entry.id, entry.hash, loose_text_hash(entry.text)))) bytes = TRY(remove_entry(bytes, entry.id));
  }
  return bytes;
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

// In the place of the line of user.md that it had replaced; that one alone goes if nobody knows the correction any more.
Result<bool> put_correction_back(Memory& memory, const AfterForget& wrong, const Tombstone& end) {
  const Vault& vault = memory.vault();
  std::string correction;
  for (const Version& version : TRY(versions_of(vault, wrong.file))) {
    const std::string bytes = TRY(bytes_of(vault, wrong.file, version)).value_or(std::string());
    for (const ParsedEntry& entry : parse(bytes).entries)
      if (entry.id == end.superseded_by) correction = bytes.substr(entry.begin, entry.end - entry.begin);
  }
  return change_file(vault, wrong.file, [&](std::string_view bytes) -> Result<std::string> {
    const ParsedFile now = parse(bytes);
    const bool stands = std::ranges::find(now.entries, end.superseded_by, &ParsedEntry::id) != now.entries.end();
    return correction.empty() || stands ? remove_entry(bytes, wrong.id) : with_entry_instead_of(bytes, wrong.id, correction);
  });
}

Result<Resolved> answer_doubt(Memory& memory, const Act& act, bool keep) {
  Resolved resolved{act.file, {}, {}, {}, {}, false, {}};
  if (!keep && is_of_words(act)) {
    TRY(take_words_out(memory.vault(), act));
    resolved.rewritten = true;
    resolved.searchable = make_searchable(memory, {act.file});
  } else if (!keep) {
    resolved.rewritten = !TRY(take_back(memory, act.id)).files.empty();
  }
  if (keep) TRY(note_that_it_was_meant(memory.vault(), act));
  return resolved;
}

}  // namespace

Error why_no_answer_ends(const Question& question) {
  if (question.kind == Question::Kind::unreadable)
    return {ErrorCode::refused, question.file + " is too large, or cannot be read",
            "make it smaller; then nothing is asked any more"};
  if (question.kind == Question::Kind::hidden)
    return {ErrorCode::refused, question.file + " hides entries of which the comments still stand",
            "mend line " + std::to_string(question.line) + "; then nothing is asked any more"};
  return {ErrorCode::refused, "what follows from your edit of " + question.file + " cannot be written: " + question.why,
          "it is tried again with the next command"};
}

Result<Resolved> answer_about_entry(Memory& memory, const std::string& id, bool keep) {
  auto acts = TRY(doubtful_acts(memory.vault()));
  const auto is_asked = [&](const Act& act) { return id_in_question(memory.vault(), act) == id; };
  if (const auto act = std::ranges::find_if(acts, is_asked); act != acts.end()) return answer_doubt(memory, *act, keep);
  TRY(memory.catch_up_with_changes());
  const auto standing = TRY(after_forget(memory));
  const auto found = std::ranges::find(standing, id, &AfterForget::id);
  if (found == standing.end()) return nothing_asked(id);
  Resolved resolved{found->file, {}, {}, {}, {}, false, {}};
  const auto entry = TRY(find_entry(memory, id, true));
  const auto logs = TRY(Chronicle::read(memory.vault()));
  const Instant at = next_tombstone_time(memory.vault(), logs.logs());
  std::vector<std::string> files{found->file}, notes;
  if (!keep && found->corrected) {
    resolved.rewritten = TRY(put_correction_back(memory, *found, *logs.tombstone_of(id)));
    resolved.searchable = make_searchable(memory, files);
    return resolved;
  }
  if (keep && !found->rests && !found->edited) {
    TRY(restore(memory, id));
  } else {
    std::vector<Tombstone> lines;
    const bool says_so = std::ranges::any_of(entry.from, [&](const std::string& fact) { return logs.is_removed(fact); });
    if (!keep || !found->rests || !says_so)
      lines.push_back({at, id, entry.hash, keep ? Tombstone::Reason::restored : Tombstone::Reason::deleted, "user", {}});
    DecidedChanges changes(memory.vault());
    if (keep)
      TRY(changes.change(entry.places.front().file,
                         [&](std::string_view bytes) { return resting_on_what_stands(bytes, id, entry.from, logs); }));
    if (!keep) changes.take_out(entry);
    resolved.rewritten = changes.changes_files();
    TRY(changes.carry_out(lines, {}, files, notes));
  }
  if (!keep) resolved.deleted.push_back(id);
  resolved.searchable = make_searchable(memory, files);
  return resolved;
}

Result<std::vector<OpenQuestion>> open_questions(Memory& memory) {
  TRY(memory.catch_up_with_changes());
  const auto understood = TRY(understand(memory));
  const Vault& vault = memory.vault();
  std::vector<OpenQuestion> open;
  for (const Question& question : understood.waiting) open.push_back({question, changes_asked_about(vault, question)});
  for (const GitConflict& conflict : git_conflicts(vault))
    open.push_back(conflict_question(memory, conflict));  // git knows the sides
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems())
    if (problem.code == "conflict-markers" && !is_asked_about(open, problem.file))  // a problem a conflict, a question a file
      open.push_back(conflict_question(memory, {problem.file, std::nullopt}));
  return open;
}

Result<Resolved> keep_edits(Memory& memory, const std::string& file) {
  const Vault& vault = memory.vault();
  auto asked = TRY(asked_about(vault, file));
  Resolved resolved{file, {}, {}, {}, {}, false, {}};
  GivenAnswer answer{"kept", {TRY(file_before(vault, asked.question))}, asked.question};
  if (place_of(file) == Place::core) {
    TRY(keep_lines(memory, asked, resolved, answer));
  } else {
    const auto gone = TRY(gone_entries(memory, asked));
    answer.files.push_back(TRY(file_before(vault, core_file_name)));
    answer.ended = TRY(delete_entries(memory, file, gone));
    for (const Absence& entry : gone) resolved.deleted.push_back(entry.id);
  }
  TRY(close_question(vault, asked.state, asked.question, TRY(present_bytes(vault, file)), "deleted"));
  resolved.act = TRY(keep_answer(vault, answer));
  resolved.searchable = make_searchable(memory, {file});
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
    const auto change = [&](std::string_view now) -> Result<std::string> {
      bytes = TRY(as_before(place_of(file), asked.before, now));
      if (place_of(file) == Place::consolidated) bytes = TRY(without_ended(memory, now, std::move(bytes)));
      return bytes;
    };
    TRY(change_file(vault, file, change, IfMissing::create));
    resolved.rewritten = true;
  }
  TRY(close_question(vault, asked.state, asked.question, bytes, "restored"));
  resolved.act = TRY(keep_answer(vault, answer));
  resolved.searchable = make_searchable(memory, {file});
  return resolved;
}

}  // namespace loci
