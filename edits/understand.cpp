#include "edits/understand.h"

#include <algorithm>

#include "base/counted.h"
#include "edits/act_log.h"
#include "edits/earlier_names.h"
#include "edits/ended_elsewhere.h"
#include "edits/entry_questions.h"
#include "edits/git_conflicts.h"
#include "edits/understanding.h"
#include "edits/what_came.h"
#include "memory/promoted_lines.h"
#include "memory/unfinished_changes.h"
#include "parser/core_file.h"
#include "vault/git/git_operation.h"
#include "vault/logs/chronicle.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

constexpr size_t all_of_them = size_t{1} << 30;
constexpr std::chrono::seconds git_retry{10};
constexpr std::chrono::milliseconds soon{1'000};
constexpr std::chrono::milliseconds lock_patience{10'000};

bool is_log(std::string_view file) { return file.starts_with(".loci/ledger/") || file.starts_with(".loci/tombstones/"); }

bool is_there(const path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder, error);
}

bool is_pending(const FileRecord& record) {
  return !record.absent.empty() || record.question || record.unsure_since || record.gone_since;
}

Result<std::set<std::string>> files_to_look_at(const Vault& vault, const EditState& state,
                                               const std::vector<std::string>* changed) {
  std::set<std::string> files;
  if (!changed) files = watched_files(vault);
  for (const FileRecord& record : state.files)
    if (!changed || is_pending(record)) files.insert(record.file);
  if (changed) std::ranges::copy_if(*changed, std::inserter(files, files.end()), has_versions);
  if (changed || state.files.empty()) return files;
  // What loci wrote, and what was gone before anybody looked at it.
  const auto gone = TRY(files_with_versions(vault, files));
  std::ranges::copy_if(gone, std::inserter(files, files.end()), has_versions);
  return files;
}

// Where a folder stands in its place, say, it shows nobody anything, and has no line to follow.
bool can_read_core(const Vault& vault) { return read_file_if_any(vault.files(), vault.file(core_file_name)).has_value(); }

Result<Understood> nothing_decided(const Vault& vault, std::string why_not) {
  Understood nothing;
  nothing.waiting = TRY(waiting_questions(vault));
  nothing.why_not = std::move(why_not);
  if (!nothing.why_not.empty()) nothing.again_in = git_retry;
  return nothing;
}

std::string branch_text(const GitStand& then) {
  constexpr std::string_view heads = "refs/heads/";
  const size_t prefix = then.branch.starts_with(heads) ? heads.size() : 0;
  return "the vault is on another branch than " + then.branch.substr(prefix) +
         ", where loci wrote it: until it is back there no edit is decided and no run starts";
}

// `changed`: null for everything.
Result<Understood> understand_files(Memory& memory, const std::vector<std::string>* changed) {
  const Vault& vault = memory.vault();
  if (!is_there(vault.root())) return Understood{};  // a missing vault is not one whose entries were removed
  if (const auto operation = git_operation_around(vault.root()))
    return nothing_decided(vault, "git is in the middle of something (" + operation->marker + ")");
  // What was cut short was decided before: what stands there now may be somebody's answer to it.
  (void)finish_unfinished_changes(memory);
  auto state = TRY(EditState::open(vault, lock_patience));
  std::string marks = git_fingerprint_around(vault.root());
  const auto stand = git_stand(vault, state.git);
  if (!stand) return nothing_decided(vault, stand.error().message);
  const GitStand& git = *stand;
  if (is_on_another_branch(vault, state.git, git)) return nothing_decided(vault, branch_text(state.git));
  TRY(note_home_branch(vault, git.branch));  // before any version is noted
  const bool is_first = state.files.empty();
  const auto files = TRY(files_to_look_at(vault, state, git == state.git ? changed : nullptr));
  // HEAD stands elsewhere: by a commit of one's own, or by what came.
  const bool has_moved = git.commit != state.git.commit || git.branch != state.git.branch;
  Result<std::optional<WhatCame>> came = std::nullopt;
  const GitExchange repository(vault.root(), vault.state_folder(), {});
  if (has_moved) came = what_came(vault, repository);
  Understood settled;
  // What git cannot tell now, or nobody can settle, keeps no command from its work: the next one tries again.
  const bool may_move_on = came && (!*came || settle_before_edits(memory, **came, settled).value_or(false));
  memory.drop_reader();
  Understanding understanding(memory, state, git, std::move(marks));
  auto understood = TRY(understanding.of(files));
  TRY(is_first ? understanding.questions().ask_about_missing() : understanding.questions().look_for_what_was_missing());
  TRY(state.save());
  understood.said_twice = std::move(settled.said_twice);
  understood.pending = std::move(settled.pending);
  understood.restored = std::move(settled.restored);
  for (const FileRecord& record : state.files)
    if (record.question) understood.waiting.push_back(*record.question);
  if (understanding.waits()) return understood;
  understood.ended = TRY(take_out_what_ended(memory, understood.waiting)).entries;
  const bool is_asked_about = state.find(core_file_name) && state.find(core_file_name)->question;
  if (!is_asked_about && can_read_core(vault)) TRY(follow_entries_in_core(memory, understood.said_again));
  if (!may_move_on) return understood;
  if (*came) {
    TRY(settle_after_edits(memory, **came, understood));
    (void)note_taken_in(repository, **came);  // in a repository that cannot be written to, an older mark only has it done again
  }
  state.git = git;  // last: what is killed before begins again
  TRY(state.save());
  return understood;
}

std::string question_text(const Question& question) {
  const std::string rest = ": nothing is deleted until 'loci resolve' is told what you meant";
  switch (question.kind) {
    case Question::Kind::gone:
      return "the file is gone, with " + counted(question.touched, "entry", "entries") + rest;
    case Question::Kind::missing:
      return counted(question.removed, "entry that was written here stands", "entries that were written here stand") +
             " nowhere, and it is not known who took that out" + rest;
    case Question::Kind::unreadable:
      return "the file is too large, or cannot be read: what stood in it is not touched until it can be; make it smaller";
    case Question::Kind::hidden:
      return counted(question.touched, "entry is", "entries are") + " not read, though the comment of " +
             (question.touched == 1 ? "it" : "each") +
             " still stands: a fence, a quote, an indentation or a heading is in the way. Nothing is deleted, and no run writes "
             "this file, until that is mended or the comments are taken out, too";
    case Question::Kind::stuck:
      return "what follows from your edit cannot be written: " + question.why +
             ". Nothing of it is decided, and no run writes this file, until it can be";
    default:
      return std::to_string(question.touched) + " of " + std::to_string(question.entries) + " entries changed or went at once" +
             (question.why.empty() ? "" : " (" + question.why + ")") + rest;
  }
}

}  // namespace

void Understood::look_again_in(std::chrono::milliseconds time) {
  const auto wait = std::max(time, soon);
  again_in = std::min(again_in.value_or(wait), wait);
}

Result<Understood> understand(Memory& memory) { return understand_files(memory, nullptr); }

Result<Understood> understand(Memory& memory, const std::vector<std::string>& changed) {
  const bool matters = std::ranges::any_of(changed, [](const std::string& file) { return has_versions(file) || is_log(file); });
  if (!matters) return nothing_decided(memory.vault(), {});
  return understand_files(memory, &changed);
}

bool has_git_moved(const Vault& vault) {
  std::string head = git_head_around(vault.root());
  if (head.starts_with("refs/")) head.clear();  // a branch without a commit
  const auto then = EditState::peek_git(vault);
  return then && then->commit != head;
}

Status understand_first(Memory& memory) {
  // What is about to be rewritten may stand elsewhere since a moment ago. Whoever keeps saving keeps no command from its work.
  (void)memory.wait_for_saves();
  TRY(understand(memory));
  return {};
}

namespace {

Status check_that_it_is_read(const Vault& vault, const std::string& id) {
  const auto questions = TRY(waiting_questions(vault));
  for (const Question& question : questions) {
    const bool is_hidden = question.kind == Question::Kind::hidden && place_of(question.file) != Place::core &&
                           std::ranges::find(question.gone, id, &Absence::id) != question.gone.end();
    if (is_hidden)
      return fail(ErrorCode::refused,
                  "'" + id + "' stands in " + question.file + ", but is not read as an entry: something at line " +
                      std::to_string(question.line) + " is in the way",
                  "mend that line (a fence, a quote, an indentation, a heading), or take the entry out of the file");
  }
  return {};
}

}  // namespace

Result<std::string> id_after_edits(const Vault& vault, const std::string& id) {
  std::string present = id;
  const auto acts = TRY(acts_of(vault));
  std::optional<Chronicle> logs;
  for (const Act& act : acts) {
    if (act.entry != present || act.outcome != "corrected") continue;
    if (!logs) logs = TRY(Chronicle::read(vault));
    const Tombstone* tombstone = logs->tombstone_of(present);
    if (tombstone && removes(*tombstone) && !tombstone->superseded_by.empty()) present = tombstone->superseded_by;
  }
  TRY(check_that_it_is_read(vault, present));
  return present;
}

Result<std::string> why_nothing_is_decided(const Vault& vault) {
  const auto then = TRY(EditState::peek_git(vault));
  const auto now = git_stand(vault, then);
  return now && is_on_another_branch(vault, then, *now) ? branch_text(then) : std::string();
}

Result<bool> follow_entries_in_core(Memory& memory, const std::vector<std::string>& said_again) {
  const Vault& vault = memory.vault();
  const std::string moves = git_moves_around(vault.root());
  if (git_operation_around(vault.root()) || !TRY(why_nothing_is_decided(vault)).empty()) return false;
  return bring_lines_in_step(memory, {.back = said_again, .reworded = [&] { return reworded_in_core(vault); }, .git_moves = moves});
}

Result<std::vector<Question>> waiting_questions(const Vault& vault) {
  auto records = TRY(EditState::peek(vault));
  std::vector<Question> questions;
  for (FileRecord& record : records)
    if (record.question) questions.push_back(std::move(*record.question));
  return questions;
}

void add_edit_problems(Memory& memory, std::vector<Problem>& problems) {
  const Vault& vault = memory.vault();
  std::vector<Problem> found;
  if (const auto questions = waiting_questions(vault)) found = problems_of(*questions);
  if (const auto standing = after_forget(memory))
    for (const AfterForget& one : *standing) {
      found.push_back(problem_of(one));
      std::erase_if(problems, [&](const Problem& said) {  // that it was forgotten: this is what can be done
        return said.code == "forgotten-text" && said.file == one.file && said.line == one.line;
      });
    }
  add_git_conflict_problems(vault, problems);
  std::error_code error;
  const auto logs = Chronicle::read(vault);
  // A folder of notes never had one: only what a run promoted is missed.
  if (logs && !logs->promoted().empty() && !std::filesystem::exists(vault.file(core_file_name), error))
    found.push_back(
        {core_file_name, 0, "no-core",
         "the file is gone: consolidation promotes nothing and no prompt gets it while it is missing; put it back, or let "
         "'loci init' make a new one, which the next run fills"});
  if (const auto branch = why_nothing_is_decided(vault); branch && !branch->empty())
    found.push_back({"", 0, "other-branch", *branch});
  for (Problem& problem : found)
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
}

namespace {

// A text without a name that is active is not the one that was forgotten: it was said again since. A promoted line follows its
// entry.
bool may_stand_after_forget(const Entry& entry) {
  if (entry.place == Place::core) return entry.ref.empty() && !entry.has_metadata && !entry.active;
  return (entry.place == Place::user || entry.place == Place::consolidated) && (entry.has_metadata || !entry.active);
}

// By its id, or as words that nobody has said since they ended.
bool has_ended_here(const Chronicle& logs, const Entry& entry) {
  const bool has_words = entry.place == Place::consolidated || entry.place == Place::core;
  return logs.is_removed(entry.id) || (has_words && !entry.has_metadata && !entry.active);
}

AfterForget as_standing(const Entry& entry, const std::string& file, const Chronicle& logs) {
  const auto place = std::ranges::find(entry.places, file, &EntryPlace::file);
  AfterForget one{entry.id, file, place == entry.places.end() ? entry.places.front().line : place->line, entry.active};
  const Tombstone* tombstone = logs.tombstone_of(entry.id);
  one.corrected = !entry.active && tombstone && !tombstone->superseded_by.empty();
  return one;
}

}  // namespace

Result<std::vector<AfterForget>> after_forget(Memory& memory) {
  const auto logs = TRY(Chronicle::read(memory.vault()));
  std::vector<AfterForget> found;
  if (logs.removed_ids().empty()) return found;
  std::set<std::string> asked;  // then that question is about these entries, too
  for (const Question& question : TRY(waiting_questions(memory.vault())))
    if (question.kind == Question::Kind::wholesale) asked.insert(question.file);
  for (const std::string& file : watched_files(memory.vault())) {
    if (asked.contains(file)) continue;
    EntryFilter filter;
    filter.file = file;
    filter.inactive = true;
    const auto entries = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(filter, all_of_them); }));
    for (const Entry& entry : entries)
      if (has_ended_here(logs, entry) && may_stand_after_forget(entry)) found.push_back(as_standing(entry, file, logs));
  }
  for (EditedRemainder& one : TRY(edited_remainders(memory)))
    found.push_back({std::move(one.id), std::move(one.file), one.line, true, true});
  return found;
}

std::vector<Problem> problems_of(const std::vector<Question>& questions) {
  std::vector<Problem> problems;
  for (const Question& question : questions)
    problems.push_back({question.file, question.line, "unresolved-edit", question_text(question)});
  return problems;
}

}  // namespace loci
