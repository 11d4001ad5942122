#include "base/counted.h"
#include "base/shell_word.h"
#include "cli/command.h"
#include "cli/correction_choice.h"
#include "cli/resolve_answers.h"
#include "edits/entry_questions.h"
#include "edits/question_shapes.h"
#include "memory/json_shapes.h"
#include "sync/answer_conflict.h"
#include "sync/conflict_copies.h"
#include "vault/git/git.h"
#include "vault/git/git_operation.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec resolve_positionals[] = {{"FILE", ValueKind::file, false}};
constexpr OptionSpec resolve_options[] = {
    {"--keep", "", ValueKind::none, "the file as it is now is what you mean: what is gone is deleted, what is changed is yours"},
    {"--restore", "", ValueKind::none, "put the entries back as they were; what was added since stays"},
    {"--ours", "", ValueKind::none, "of a conflict: where the two sides differ in one thing, take what this machine had said"},
    {"--theirs", "", ValueKind::none, "of a conflict: take what the other side said"},
    {"--both", "", ValueKind::none, "of a conflict: one entry with both texts, words without an id one behind the other"},
    {"--text", "TEXT", ValueKind::text, "of one conflict: that entry, or those words, say this from now on"},
};

constexpr size_t most_listed = 20;

std::string headline(const Question& question) {
  if (question.kind == Question::Kind::conflict) return "two versions stand in it";
  const std::string counts =
      counted(question.removed, "entry", "entries") + " went, " + std::to_string(question.changed) + " changed";
  if (question.kind == Question::Kind::gone) return "the file is gone: " + counts;
  if (question.kind == Question::Kind::unreadable) return "the file is too large, or cannot be read";
  if (question.kind == Question::Kind::hidden)
    return "its markdown hides entries; mend it in line " + std::to_string(question.line);
  if (question.kind == Question::Kind::stuck) return "what follows from your edit cannot be written: " + question.why;
  if (question.kind == Question::Kind::missing) return counted(question.removed, "entry stands", "entries stand") + " nowhere";
  return counts + ", of " + std::to_string(question.entries) + (question.why.empty() ? "" : ": " + question.why);
}

void print_question(Output& out, const OpenQuestion& open, size_t limit) {
  out.line(out.styled(Style::place, printable(open.question.file)) + "  " +
           out.styled(Style::warning, name_of(open.question.kind)) + "  " + headline(open.question));
  for (size_t i = 0; i < std::min(open.changes.size(), limit); ++i) {
    const EntryChange& change = open.changes[i];
    out.line("  " + out.styled(Style::id, change.id.empty() ? "words without an id" : change.id));
    if (!change.before.empty()) out.line("    - " + one_line(change.before, text_width));
    if (!change.after.empty()) out.line("    + " + one_line(change.after, text_width));
  }
  if (open.changes.size() > limit) out.line("  and " + std::to_string(open.changes.size() - limit) + " more");
}

void tell_way_back(Output& out, const std::string& act) {
  if (!act.empty()) out.note("'loci restore " + act + "' takes the answer back");
}

int print_resolved(Output& out, const Resolved& resolved) {
  if (out.json()) {
    out.value(resolved_to_json(resolved));
  } else {
    for (const std::string& id : resolved.deleted) out.line("deleted " + out.styled(Style::id, id));
    for (const std::string& id : resolved.demoted) out.line("demoted " + out.styled(Style::id, id));
    for (const std::string& id : resolved.corrected) out.line("corrected " + out.styled(Style::id, id));
    out.line("resolved " + out.styled(Style::place, printable(resolved.file)));
    tell_way_back(out, resolved.act);
  }
  if (resolved.searchable.yes) return 0;
  out.warn("done, but the index does not know it yet: " + resolved.searchable.reason);
  return static_cast<int>(ErrorCode::locked);
}

Result<int> print_result(Output& out, const Result<Resolved>& resolved) {
  if (!resolved) return std::unexpected(resolved.error());
  return print_resolved(out, *resolved);
}

Result<Resolved> resolve_conflict(Invocation& invocation, Memory& memory, const std::string& file) {
  auto resolved = answer_conflict(memory, file, answers_of(invocation.arguments, invocation.out));
  if (resolved && !resolved->undecided.empty()) return refuse_undecided(*resolved);
  return resolved;
}

// None: the person leaves it as it is. What cannot be put together is one side's.
Result<std::optional<ConflictAnswers>> ask_for_answers(Invocation& invocation, const Vault& vault, const std::string& file) {
  Output& out = invocation.out;
  ConflictAnswers answers = answers_of(invocation.arguments, out);
  if (!TRY(is_answered_whole(vault, file))) {
    if (ask(out, "[m]erge entry by entry, or leave it?") != 'm') return std::nullopt;
    return answers;
  }
  const char answer = ask(out, "[o]urs, [t]heirs, or leave it?");
  if (answer != 'o' && answer != 't') return std::nullopt;
  answers.whole = answer == 'o' ? Side::ours : Side::theirs;
  return answers;
}

// None: the person leaves it as it is.
Result<std::optional<Resolved>> ask_about(Invocation& invocation, Memory& memory, const OpenQuestion& open) {
  print_question(invocation.out, open, most_listed);
  if (!ends_by_answer(open.question.kind)) return std::nullopt;
  const std::string& file = open.question.file;
  Result<Resolved> resolved = fail(ErrorCode::refused, "");
  if (open.question.kind == Question::Kind::conflict) {
    const auto answers = TRY(ask_for_answers(invocation, memory.vault(), file));
    if (!answers) return std::nullopt;
    resolved = answer_conflict(memory, file, *answers);
    if (resolved && !resolved->undecided.empty()) {
      invocation.out.note(printable(file) + " stays as it is until all of it is answered");
      return std::nullopt;
    }
  } else {
    const char answer = ask(invocation.out, "[k]eep it as it is now, [r]estore the entries, or leave it?");
    if (answer != 'k' && answer != 'r') return std::nullopt;
    resolved = answer == 'k' ? keep_edits(memory, file) : restore_entries(memory, file);
  }
  if (!resolved) return std::unexpected(resolved.error());
  return std::move(*resolved);
}

Json copies_to_json(const std::vector<ConflictCopy>& copies) {
  Json list = Json::array();
  for (const ConflictCopy& one : copies) {
    Json value = Json::object();
    value.set("file", one.file);
    value.set("original", one.original);
    list.push_back(std::move(value));
  }
  return list;
}

// A copy that a sync left goes into its file; where both say something else, the file says so and is asked about like any.
Result<int> resolve_copy(Invocation& invocation, Memory& memory, const std::string& copy) {
  const Arguments& arguments = invocation.arguments;
  const auto whole = arguments.has("--ours")     ? std::optional(Side::ours)
                     : arguments.has("--theirs") ? std::optional(Side::theirs)
                                                 : std::nullopt;
  const auto merged = TRY(merge_conflict_copy(memory, copy, whole));
  const bool is_answered =
      arguments.has("--ours") || arguments.has("--theirs") || arguments.has("--both") || arguments.has("--text");
  if (merged.conflicts > 0 && (is_answered || can_ask(invocation.out)))
    return print_result(invocation.out, resolve_conflict(invocation, memory, merged.original));
  Output& out = invocation.out;
  if (out.json()) {
    Json value = Json::object();
    value.set("v", 1);
    value.set("file", merged.original);
    value.set("conflicts", static_cast<std::int64_t>(merged.conflicts));
    value.set("act", merged.act);
    out.value(value);
    return 0;
  }
  out.line("merged into " + out.styled(Style::place, printable(merged.original)));
  if (merged.conflicts > 0)
    out.line(counted(merged.conflicts, "entry says", "entries say") + " two things there: 'loci resolve " +
             printable(shell_word(merged.original)) + "'");
  tell_way_back(out, merged.act);
  return 0;
}

// None: the person leaves it as it is.
Result<std::optional<Resolved>> ask_about_entry(Output& out, Memory& memory, const Problem& question) {
  out.line(out.styled(Style::place, printable(question.file) + ":" + std::to_string(question.line)) + "  " +
           out.styled(Style::warning, question.code) + "  " + printable(question.message));
  if (!can_ask(out)) return std::nullopt;
  const char answer = ask(out, "[k]eep it as it is now, [r]estore what was, or leave it?");
  if (answer != 'k' && answer != 'r') return std::nullopt;
  return TRY(answer_about_entry(memory, question.entries.front(), answer == 'k'));
}

Result<int> list_questions(Invocation& invocation, Memory& memory) {
  const auto open = TRY(open_questions(memory));
  const auto entries = TRY(entry_questions(memory));
  const auto conflicts = TRY(correction_conflicts(memory));
  const auto copies = TRY(conflict_copies(memory.vault()));
  Output& out = invocation.out;
  if (out.json()) {
    Json value = Json::object(), questions = Json::array(), corrections = Json::array();
    for (const OpenQuestion& one : open) questions.push_back(question_to_json(one));
    for (const CorrectionConflict& one : conflicts) corrections.push_back(conflict_to_json(one));
    value.add_unchecked("v", 1);
    value.add_unchecked("questions", std::move(questions));
    value.add_unchecked("entries", problems_to_json(entries));
    value.add_unchecked("corrections", std::move(corrections));
    value.add_unchecked("copies", copies_to_json(copies));
    out.value(value);
    return 0;
  }
  if (open.empty() && entries.empty() && conflicts.empty() && copies.empty()) out.line("nothing waits for an answer");
  int status = 0;
  const auto tell = [&](const Result<std::optional<Resolved>>& resolved) {
    if (!resolved) {  // the others are asked about all the same
      out.warn(resolved.error().message);
      status = std::max(status, static_cast<int>(resolved.error().code));
    } else if (*resolved) {
      status = std::max(status, print_resolved(out, **resolved));
    }
  };
  for (const OpenQuestion& one : open) {
    if (can_ask(out))
      tell(ask_about(invocation, memory, one));
    else
      print_question(out, one, most_listed);
  }
  for (const Problem& one : entries) tell(ask_about_entry(out, memory, one));
  for (const ConflictCopy& one : copies) {
    out.line(out.styled(Style::place, printable(one.file)) + "  " + out.styled(Style::warning, "copy") + "  of " +
             printable(one.original));
    if (can_ask(out) && ask(out, "[m]erge it into its file, or leave it?") == 'm') TRY(resolve_copy(invocation, memory, one.file));
  }
  for (const CorrectionConflict& one : conflicts) TRY(settle_conflict(out, memory, one, can_ask(out)));
  return status;
}

// As it is named in the vault, whether it was typed so or as seen from the working folder.
std::string file_in_vault(const Invocation& invocation, const Vault& vault) {
  const std::string typed = invocation.arguments.positionals().front();
  std::error_code error;
  const path seen = std::filesystem::weakly_canonical(invocation.environment.working_folder / typed, error);
  const std::string inside = error ? std::string() : seen.lexically_relative(vault.root()).generic_string();
  const bool is_inside = !inside.empty() && inside != "." && !inside.starts_with("..");
  return is_inside && !std::filesystem::exists(vault.file(typed), error) ? inside : typed;
}

// Asks on a terminal, once it is sure that there is something to ask.
Result<int> resolve_by_asking(Invocation& invocation, Memory& memory, const std::string& file) {
  const auto open = TRY(open_questions(memory));
  for (const OpenQuestion& one : open) {
    if (one.question.file != file) continue;
    const bool ends = ends_by_answer(one.question.kind);
    if (!ends || (!can_ask(invocation.out) && one.question.kind != Question::Kind::conflict)) {
      if (!invocation.out.json()) print_question(invocation.out, one, one.changes.size());
      if (!ends) return std::unexpected(why_no_answer_ends(one.question));
      return fail(ErrorCode::refused, "'" + file + "' waits for your answer", "--keep or --restore");
    }
    if (!can_ask(invocation.out)) return print_result(invocation.out, resolve_conflict(invocation, memory, file));
    const auto resolved = TRY(ask_about(invocation, memory, one));
    return resolved ? print_resolved(invocation.out, *resolved) : 0;
  }
  return fail(ErrorCode::not_found, "nothing about '" + file + "' waits for an answer", "'loci resolve' lists what does");
}

// A merge that git began waits until nothing in it is left to answer.
void tell_what_waits(Output& out, const Vault& vault) {
  const auto operation = git_operation_around(vault.root());
  if (!operation || operation->marker != "MERGE_HEAD") return;
  const auto unmerged = Git(vault.root()).unmerged();
  if (!unmerged) return;
  out.note(unmerged->empty()
               ? "git's merge has all its answers: 'loci sync' finishes it, or 'git commit --no-edit'"
               : counted(unmerged->size(), "file of git's merge waits", "files of git's merge wait") + " for an answer");
}

Result<int> answer_or_list(Invocation& invocation, Memory& memory) {
  const Arguments& arguments = invocation.arguments;
  const bool keep = arguments.has("--keep"), restore = arguments.has("--restore"), ours = arguments.has("--ours"),
             theirs = arguments.has("--theirs"), both = arguments.has("--both"), text = arguments.has("--text");
  if (keep + restore + ours + theirs + both + text > 1) return fail(ErrorCode::usage, "one answer at a time");
  if (arguments.positionals().empty()) {
    if (keep || restore || ours || theirs || both || text)
      return fail(ErrorCode::usage, "which file?", "'loci resolve' lists what waits");
    return list_questions(invocation, memory);
  }
  const std::string file = file_in_vault(invocation, memory.vault());
  std::error_code error;
  if (!keep && !restore && original_of_copy(file) && std::filesystem::exists(memory.vault().file(file), error))
    return resolve_copy(invocation, memory, file);
  if (!keep && !restore && !ours && !theirs && !both && !text) return resolve_by_asking(invocation, memory, file);
  const auto open = open_questions(memory);  // looks at the files: one may have been put right since
  if (!open) return std::unexpected(open.error());
  if (keep || restore) {
    auto answered = answer_about_entry(memory, arguments.positionals().front(), keep);
    if (!answered && answered.error().code == ErrorCode::not_found && keep) answered = keep_unmerged(memory, file);
    if (answered || answered.error().code != ErrorCode::not_found) return print_result(invocation.out, answered);
  }
  const auto resolved = keep      ? keep_edits(memory, file)
                        : restore ? restore_entries(memory, file)
                                  : resolve_conflict(invocation, memory, file);
  return print_result(invocation.out, resolved);
}

Result<int> run_resolve(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  const int status = TRY(answer_or_list(invocation, memory));
  tell_what_waits(invocation.out, memory.vault());
  return status;
}

}  // namespace

constinit const Command resolve_command = {
    "resolve",
    "Say what you meant by an edit that changed much at once, or put git's conflicts together",
    "When more than 3 and more than 10 % of a file's entries change or go at once (a reformat, an old file put back), nothing is\n"
    "deleted until you say what you meant. Without FILE: lists what waits, and asks on a terminal.\n"
    "Instead of FILE the id of an entry that was deleted and stands all the same, as 'loci status' lists it: --keep says that it\n"
    "counts, --restore takes it out again. A file with git's conflict markers is merged entry by entry.",
    resolve_positionals,
    resolve_options,
    run_resolve};

}  // namespace loci::cli
