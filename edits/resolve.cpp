#include "edits/resolve.h"

#include <algorithm>

#include "edits/decisions.h"
#include "edits/observer.h"
#include "edits/other_places.h"
#include "edits/seen_file.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "parser/text_lines.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

constexpr std::chrono::milliseconds lock_patience{10'000};

std::unexpected<Error> nothing_asked(const std::string& file) {
  return fail(ErrorCode::not_found, "nothing about '" + file + "' waits for an answer", "'loci resolve' lists what does");
}

Result<std::string> bytes_of(const Vault& vault, const std::string& file) {
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

// A question, what it is about, and the state that it is in, locked.
struct Asked {
  EditState state;
  std::string before, now;
};

Result<Asked> asked_about(const Vault& vault, const std::string& file) {
  auto state = TRY(EditState::open(vault, lock_patience));
  const FileRecord* record = state.find(file);
  if (!record || !record->question) return nothing_asked(file);
  auto accepted = TRY(state.accepted(file));
  if (!accepted) return nothing_asked(file);
  auto now = TRY(bytes_of(vault, file));
  return Asked{std::move(state), std::move(*accepted), std::move(now)};
}

Status close_question(EditState& state, const std::string& file, std::string_view accepted) {
  state.record(file).question.reset();
  TRY(state.save());
  return state.accept(file, accepted);
}

// Entries with metadata that are gone, but for those that stand elsewhere.
Result<std::vector<Absence>> gone_entries(Memory& memory, EditState& state, const std::string& file, const std::string& before,
                                          const std::string& now) {
  const SeenFile after = see_file(Place::consolidated, now);
  OtherPlaces others(memory);
  std::vector<Absence> gone;
  for (const ParsedEntry& entry : parse(before).entries) {
    if (!entry.metadata || find_seen(after.entries, entry.id)) continue;
    Absence absence{entry.id, entry.hash, entry.metadata->from};
    const auto moved = TRY(others.have(absence, file));
    if (moved) continue;
    if (auto kept = state.keep_absent(file, std::string_view(before).substr(entry.begin, entry.end - entry.begin)); !kept)
      return std::unexpected(kept.error());
    gone.push_back(std::move(absence));
  }
  return gone;
}

Status keep_lines(Memory& memory, const Asked& asked, Resolved& resolved) {
  const SeenFile then = see_file(Place::core, asked.before), now = see_file(Place::core, asked.now);
  if (now.unclear) return fail(ErrorCode::refused, "the markers of the core are not in order", "mend them, then try again");
  std::vector<Absence> gone;
  for (const SeenEntry& line : then.entries) {
    const SeenEntry* after = find_seen(now.entries, line.id);
    if (!after && line.has_metadata) gone.push_back({line.id, line.hash, {}});
    if (!after || after->hash == line.hash) continue;
    const auto bytes = bytes_of(memory.vault(), core_file_name);  // each correction gives its line a new ref
    if (!bytes) return std::unexpected(bytes.error());
    const auto corrected = TRY(correct_line(memory, line.id, *bytes));
    if (corrected) resolved.corrected.push_back(line.id);
  }
  if (!gone.empty()) TRY(demote_lines(memory, gone));
  for (const Absence& line : gone) resolved.demoted.push_back(line.id);
  return {};
}

// What stands between the markers.
struct CoreBytes {
  size_t begin = 0, end = 0;
};

Result<CoreBytes> between_markers(std::string_view file) {
  const auto core = TRY(read_core(file));
  return CoreBytes{line_begin(file, core.begin_line + 1), line_begin(file, core.end_line)};
}

Result<std::string> as_before(std::string_view before, std::string_view now) {
  auto merged = TRY(merge_entries(before, now, std::nullopt, [](const Disagreement&) { return Side::ours; }));
  return std::move(merged.bytes);
}

// Outside the markers everything is the person's.
Result<std::string> core_as_before(std::string_view before, std::string_view now) {
  const auto then = TRY(between_markers(before));
  const auto present = TRY(between_markers(now));
  const auto lines =
      TRY(as_before(before.substr(then.begin, then.end - then.begin), now.substr(present.begin, present.end - present.begin)));
  return std::string(now.substr(0, present.begin)).append(lines).append(now.substr(present.end));
}

}  // namespace

Result<std::vector<OpenQuestion>> open_questions(Memory& memory) {
  TRY(memory.bring_up_to_date());
  EditObserver observer;
  const auto observed = TRY(observer.look(memory, {}, {memory.now(), std::chrono::steady_clock::now()}));
  const Vault& vault = memory.vault();
  std::vector<OpenQuestion> open;
  for (const Question& question : observed.waiting) {
    auto asked = asked_about(vault, question.file);
    if (asked) open.push_back({question, changes_between(place_of(question.file), asked->before, asked->now)});
  }
  const auto reader = TRY(memory.reader());
  for (const Problem& problem : reader->problems()) {
    if (problem.code != "conflict-markers") continue;
    const auto bytes = bytes_of(vault, problem.file);
    const auto sides = bytes ? sides_of_conflict(*bytes) : std::nullopt;
    OpenQuestion conflict{{}, {}};
    conflict.question.file = problem.file;
    conflict.question.kind = Question::Kind::conflict;
    conflict.question.since = memory.now();
    if (sides) conflict.changes = changes_between(Place::note, sides->ours, sides->theirs);
    open.push_back(std::move(conflict));
  }
  return open;
}

Result<Resolved> keep_edits(Memory& memory, const std::string& file) {
  auto asked = TRY(asked_about(memory.vault(), file));
  Resolved resolved{file, {}, {}, {}, {}, false, {}};
  if (place_of(file) == Place::core) {
    TRY(keep_lines(memory, asked, resolved));
  } else {
    const auto gone = TRY(gone_entries(memory, asked.state, file, asked.before, asked.now));
    TRY(delete_entries(memory, asked.state, file, gone));
    for (const Absence& entry : gone) resolved.deleted.push_back(entry.id);
  }
  TRY(close_question(asked.state, file, asked.now));
  resolved.searchable = make_searchable(memory, {file});
  return resolved;
}

Result<Resolved> restore_entries(Memory& memory, const std::string& file) {
  const Vault& vault = memory.vault();
  auto asked = TRY(asked_about(vault, file));
  std::string bytes;
  const auto change = [&](std::string_view now) -> Result<std::string> {
    bytes = TRY(place_of(file) == Place::core ? core_as_before(asked.before, now) : as_before(asked.before, now));
    return bytes;
  };
  TRY(change_file(vault, file, change, IfMissing::create));
  TRY(close_question(asked.state, file, bytes));
  Resolved resolved{file, {}, {}, {}, {}, true, {}};
  resolved.searchable = make_searchable(memory, {file});
  return resolved;
}

Result<Resolved> merge_conflicts(Memory& memory, const std::string& file, const ChooseSide& choose) {
  const Vault& vault = memory.vault();
  const auto bytes = TRY(read_file(vault.files(), vault.file(file)));
  if (!parse(bytes).held) return nothing_asked(file);
  const auto sides = sides_of_conflict(bytes);
  if (!sides)
    return fail(ErrorCode::refused, "git's conflict markers in " + file + " cannot be told apart from its text", "edit it by hand");
  auto merged = TRY(merge_entries(sides->ours, sides->theirs, sides->base, choose));
  Resolved resolved{file, {}, {}, {}, std::move(merged.undecided), false, {}};
  if (!resolved.undecided.empty()) return resolved;
  if (auto replaced = replace_file(vault, file, bytes, merged.bytes, sleep_pause, DuringGit::go_ahead); !replaced)
    return std::unexpected(replaced.error());
  resolved.rewritten = true;
  resolved.searchable = make_searchable(memory, {file});
  return resolved;
}

}  // namespace loci
