#include <algorithm>

#include "base/counted.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "cli/filter_options.h"
#include "consolidate/runs/run_record.h"
#include "consolidate/runs/store.h"
#include "consolidate/runs/undo.h"
#include "consolidate/shapes.h"
#include "edits/answers.h"
#include "memory/json_shapes.h"
#include "vault/layout/token_budget.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec log_positionals[] = {{"RUN", ValueKind::run, false}};
constexpr OptionSpec log_options[] = {
    {"--limit", "N", ValueKind::number, "at most so many runs, or edits (else 20)"},
    {"--edits", "", ValueKind::none, "what you did to loci's files by hand, what it was made from, and what became of it"},
};
constexpr PositionalSpec undo_positionals[] = {{"RUN", ValueKind::run, true}};
constexpr size_t runs_listed = 20;

std::string outcome_text(const RunRecord& run) {
  std::string text;
  for (const auto& [outcome, count] : outcomes_of(run))
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(outcome);
  return text.empty() ? "nothing settled" : text;
}

void print_line(Output& out, const Clock& clock, const RunRecord& run) {
  out.line(out.styled(Style::id, run.run) + "  " + time_text(clock, run.at) + "  " + run.kind + ", " +
           (run.outcome.empty() ? "unfinished" : run.outcome) + ": " + outcome_text(run) +
           (run.undone_by.empty() ? "" : "; taken back by " + run.undone_by));
}

void print_text(Output& out, std::string_view mark, const std::string& text) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out.line("  " + std::string(mark) + printable(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
}

// Before, after and the facts cited, one below the other, so that a person can judge.
void print_entry_record(Output& out, const EntryRecord& entry) {
  const char* what = entry.before.empty()          ? "added"
                     : entry.after.empty()         ? "removed"
                     : entry.before == entry.after ? "unchanged text"
                                                   : "changed";
  out.line("\n" + out.styled(Style::id, entry.id) + "  " + out.styled(Style::place, printable(entry.file)) + "  " + what);
  if (!entry.before.empty() && entry.before != entry.after) print_text(out, "- ", entry.before);
  if (!entry.after.empty()) print_text(out, entry.before == entry.after ? "  " : "+ ", entry.after);
  for (const FactCited& fact : entry.facts)
    out.line("    " + fact.day + " " + std::string(name_of(fact.source)) + " " + out.styled(Style::id, fact.id) + "  " +
             one_line(fact.text, 200));
}

// What the model wanted, and why it was not done, or not in these words.
void print_refused(Output& out, const RefusedRecord& refused) {
  out.line("\nnot carried out: " + refused.operation);
  if (!refused.text.empty()) print_text(out, "? ", refused.text);
  for (const std::string& reason : refused.why) out.line("    reason: " + one_line(reason, 300));
  for (const std::string& fact : refused.facts) out.line("    " + out.styled(Style::id, fact));
}

void print_run(Output& out, const Vault& vault, const RunRecord& run) {
  print_line(out, vault.clock(), run);
  out.line("by " + printable(run.model) + (run.prompt.empty() ? "" : ", prompt " + run.prompt) +
           (run.tokens.total() > 0
                ? ", " + counted(run.tokens.input, "token", "tokens") + " read and " + std::to_string(run.tokens.output) +
                      " written" + price_text(price_of(vault.config(), run.model, run.tokens.input, run.tokens.output))
                : ""));
  if (!run.reason.empty()) out.line(one_line(run.reason, 300));
  if (run.counts) out.note("what it changed is no longer kept: [consolidation] undo_keep_days");
  for (const ClusterRecord& cluster : run.clusters) {
    if (!cluster.reason.empty())
      out.line("\n" + cluster.outcome + ": " + one_line(cluster.reason, 300) + "  (" +
               counted(cluster.facts.size(), "fact stays", "facts stay") + " pending)");
    for (const EntryRecord& entry : cluster.entries) print_entry_record(out, entry);
    for (const RefusedRecord& refused : cluster.refused) print_refused(out, refused);
    for (const LedgerEntry& line : cluster.ledger)
      if (line.outcome == LedgerEntry::Outcome::ignored)
        out.line("\nignored " + out.styled(Style::id, line.fact) + ": " + one_line(line.why, 200));
    if (!cluster.left_out.empty()) out.line("\nleft out, so still pending: " + counted(cluster.left_out.size(), "fact", "facts"));
  }
}

Json act_to_json(const Act& act) {
  Json value = Json::object();
  value.add_unchecked("id", act.id);
  value.add_unchecked("at", format_rfc3339(act.at));
  value.add_unchecked("file", act.file);
  value.add_unchecked("entry", act.entry.empty() ? Json() : Json(act.entry));
  value.add_unchecked("what", act.what);
  value.add_unchecked("made_from", format_rfc3339(act.made_from_at));
  value.add_unchecked("old_buffer", act.old_buffer);
  value.add_unchecked("outcome", act.outcome);
  return value;
}

// An answer is made from no version.
std::string made_from(const Clock& clock, const Act& act) {
  if (act.what == answered) return {};
  return ", made from the version of " + time_text(clock, act.made_from_at) + (act.old_buffer ? " (an old one)" : "");
}

// The latest first.
Result<int> list_edits(Output& out, const Vault& vault, size_t limit) {
  auto acts = TRY(acts_of(vault));
  std::ranges::reverse(acts);
  if (acts.size() > limit) acts.resize(limit);
  Json list = Json::array();
  for (const Act& act : acts) {
    list.push_back(act_to_json(act));
    if (out.json()) continue;
    out.line(out.styled(Style::id, act.id) + "  " + time_text(vault.clock(), act.at) + "  " +
             out.styled(Style::place, printable(act.file)) + "  " + act.what +
             (act.entry.empty() ? "" : " " + printable(act.entry)) + made_from(vault.clock(), act) + ": " + act.outcome);
  }
  if (out.json()) {
    Json value = versioned();
    value.add_unchecked("edits", std::move(list));
    out.value(value);
  } else if (acts.empty()) {
    out.note("no edit by hand of a file of loci's was understood yet on this machine");
  }
  return 0;
}

Result<int> run_log(Invocation& invocation) {
  const auto memory = TRY(invocation.open_memory());
  Output& out = invocation.out;
  if (invocation.arguments.has("--edits")) {
    const auto most = invocation.arguments.number("--limit").value_or(runs_listed);
    return list_edits(out, memory.vault(), static_cast<size_t>(std::max<std::int64_t>(most, 0)));
  }
  if (!invocation.arguments.positionals().empty()) {
    const auto found = TRY(read_run(memory.vault(), invocation.arguments.positionals().front()));
    if (out.json())
      out.value(run_to_json(found, true));
    else
      print_run(out, memory.vault(), found);
    return 0;
  }
  std::vector<Problem> problems;
  auto runs = TRY(list_runs(memory.vault(), &problems));
  const auto limit = TRY(limit_from(invocation.arguments, runs_listed));
  if (runs.size() > limit) runs.resize(limit);
  Json list = Json::array();
  for (const RunRecord& one : runs) {
    if (out.json())
      list.push_back(run_to_json(one, false));
    else
      print_line(out, memory.vault().clock(), one);
  }
  for (const Problem& problem : problems) out.warn(problem.file + ": " + problem.message);
  if (out.json()) {
    Json value = versioned();
    value.add_unchecked("runs", std::move(list));
    out.value(value);
  } else if (runs.empty() && problems.empty()) {
    out.note("nothing was consolidated yet on this machine");
  }
  return 0;
}

Result<int> run_undo(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  const auto lock = TRY(take_consolidation_lock(memory.vault()));
  const auto undone = TRY(undo_run(memory, invocation.arguments.positionals().front()));
  Output& out = invocation.out;
  if (out.json()) {
    out.value(undone_to_json(undone));
  } else {
    out.line("run " + out.styled(Style::id, undone.run) +
             " was taken back: " + counted(undone.entries.size(), "entry is as it was", "entries are as they were") + ", " +
             counted(undone.pending, "fact is", "facts are") + " pending again");
    for (const std::string& id : undone.kept) out.line("  " + out.styled(Style::id, id) + " was changed since, and stays as it is");
  }
  for (const std::string& note : undone.notes) out.note(note);
  return 0;
}

}  // namespace

constinit const Command log_command = {
    "log",
    "Show what consolidation did: the runs, or one of them whole",
    "Of one run: every entry before and after, with the facts that it cites. Runs are kept on the\n"
    "machine that made them, for [consolidation] undo_keep_days. With --edits: what was done by hand to\n"
    "consolidated/ and MEMORY.md, from which version, and what became of it; 'loci restore' with the id\n"
    "of an edit takes that back.",
    log_positionals,
    log_options,
    run_log};
constinit const Command undo_command = {
    "undo",
    "Take one run of consolidation back",
    "The files get their old bytes, if nobody has changed them since; else entry by entry what nobody\n"
    "has. The run's facts are pending again.",
    undo_positionals,
    {},
    run_undo};

}  // namespace loci::cli
