#include "edits/open_questions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "edits/conflict_words.h"
#include "edits/git_conflicts.h"
#include "edits/merge_file.h"
#include "edits/seen_file.h"
#include "edits/understand.h"
#include "parser/core_file.h"
#include "parser/parser.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

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

}  // namespace

Result<std::string> present_bytes(const Vault& vault, const std::string& file) {
  auto bytes = TRY(read_file_if_any(vault.files(), vault.file(file)));
  return std::move(bytes).value_or(std::string());
}

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

Error nothing_asked(const std::string& file) {
  return {ErrorCode::not_found, "nothing about '" + file + "' waits for an answer", "'loci resolve' lists what does"};
}

Error nothing_asked(const Vault& vault, const std::string& file) {
  if (const auto bytes = present_bytes(vault, file); bytes && sides_of_conflict(*bytes))
    return {ErrorCode::refused, "git's conflict markers stand in '" + file + "'", "--ours, --theirs, --both or --text"};
  if (const auto conflicts = git_conflicts(vault); std::ranges::find(conflicts, file, &GitConflict::file) != conflicts.end())
    return {ErrorCode::refused, "git did not merge '" + file + "'", "--ours, --theirs or --both"};
  return nothing_asked(file);
}

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

}  // namespace loci
