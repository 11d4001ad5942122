#include "base/counted.h"
#include "cli/command.h"
#include "cli/entry_text.h"
#include "consolidate/configured_model.h"
#include "consolidate/consolidator.h"
#include "consolidate/shapes.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

constexpr auto consolidate_options = joined(
    consolidate_parameters,
    std::to_array<OptionSpec>({
        {"--dry-run", "", ValueKind::none, "say how many calls and tokens it would take; change nothing"},
        {"--explain", "", ValueKind::none, "with --dry-run: the clusters, and what would be asked"},
        {"--rebuild", "", ValueKind::none, "settle every fact anew, from the archive; entries that rest on facts are replaced"},
        {"--abandon", "", ValueKind::none, "with --rebuild: give up one that was stopped"},
    }));

std::string gate_text(const Clock& clock, const Gate& gate) {
  std::string text = gate.name + ": " + gate.reason;
  if (gate.opens_at) text += "; opens " + time_text(clock, gate.opens_at) + " at the latest";
  return one_line(text, 300);
}

void print_closed(Output& out, const Clock& clock, const GateVerdict& gates, std::string_view lead) {
  out.line(lead);
  for (const Gate& gate : gates.closed) out.line("  " + gate_text(clock, gate));
}

void print_preview(Output& out, const Clock& clock, const Consolidated& plan, bool explain) {
  size_t facts = 0;
  for (const ClusterPreview& cluster : plan.previews) facts += cluster.facts.size();
  if (!plan.gates.open()) print_closed(out, clock, plan.gates, "a run would not start now; closed by");
  out.line(counted(facts, "fact", "facts") + " in " + counted(plan.previews.size(), "cluster", "clusters") + ": " +
           counted(plan.asking.calls, "call", "calls") + ", about " + counted(plan.asking.tokens, "token", "tokens") +
           " to send and " + std::to_string(plan.asking.tokens_written) + " to be written" + price_text(plan.cost));
  if (plan.mending.calls > 0)
    out.line("if a few of the answers are sent back: " + counted(plan.mending.calls, "call", "calls") + " more, about " +
             std::to_string(plan.mending.tokens) + " and " + std::to_string(plan.mending.tokens_written) + " tokens");
  if (!explain) return;
  for (size_t i = 0; i < plan.previews.size(); ++i) {
    const ClusterPreview& cluster = plan.previews[i];
    out.line("\n" + out.styled(Style::strong, "cluster " + std::to_string(i + 1)) + "  " +
             counted(cluster.facts.size(), "fact", "facts") + ", " + counted(cluster.writable.size(), "entry", "entries") +
             " that it may change, " + std::to_string(cluster.shown.size()) + " that it sees; " +
             (cluster.prompt.empty() ? "settled by rule" : counted(cluster.tokens, "token", "tokens")));
    for (const std::string& id : cluster.facts) out.line("  " + out.styled(Style::id, id));
    if (!cluster.prompt.empty()) out.line("\n" + printable(cluster.prompt));
  }
}

void print_run(Output& out, const Consolidated& consolidated) {
  const RunRecord& run = *consolidated.run;
  std::string text;
  for (const auto& [outcome, count] : outcomes_of(run))
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(outcome);
  out.line(
      "run " + out.styled(Style::id, run.run) + ": " + (text.empty() ? "nothing was settled" : text) +
      (run.tokens.total() > 0 ? " (" + counted(run.tokens.total(), "token", "tokens") + price_text(consolidated.cost) + ")" : ""));
  for (const ClusterRecord& cluster : run.clusters)
    if (!cluster.reason.empty())
      out.note(counted(cluster.facts.size(), "fact stays", "facts stay") + " pending: " + one_line(cluster.reason, 300));
  out.line("'loci log " + run.run + "' shows it, 'loci undo " + run.run + "' takes it back");
}

Result<int> abandon(Output& out, const Memory& memory) {
  const auto abandoned = TRY(abandon_rebuild(memory.vault()));
  if (out.json())
    out.value(Json(Json::Object{{"v", 1}, {"abandoned", abandoned}}));
  else
    out.note(abandoned ? "the rebuild is given up; nothing was changed" : "no rebuild is under way");
  return 0;
}

Result<int> run_consolidate(Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  Output& out = invocation.out;
  const bool dry_run = arguments.has("--dry-run") || arguments.has("--explain");
  if (arguments.has("--abandon") && (!arguments.has("--rebuild") || dry_run || arguments.has("--force")))
    return fail(ErrorCode::usage, "--abandon goes with --rebuild alone");
  auto memory = TRY(invocation.open_memory());
  if (arguments.has("--abandon")) return abandon(out, memory);
  const auto open = [&] { return open_configured_model(memory.vault(), invocation.environment); };
  ConsolidateOptions wanted;
  wanted.force = arguments.has("--force");
  wanted.dry_run = dry_run;
  wanted.rebuild = arguments.has("--rebuild");
  wanted.progress = out.progress();
  const auto done = consolidate(memory, open, wanted);
  out.clear_progress();
  if (!done) return std::unexpected(done.error());
  if (out.json())
    out.value(consolidated_to_json(*done, arguments.has("--explain")));
  else if (dry_run)
    print_preview(out, invocation.clock, *done, arguments.has("--explain"));
  else if (!done->ran)
    print_closed(out, invocation.clock, done->gates, "nothing was done; closed by");
  else
    print_run(out, *done);
  for (const std::string& note : done->notes) out.note(note);
  if (!done->failure) return 0;
  if (out.json()) {
    out.warn(done->failure->message);
  } else {
    out.warn(done->failure->message + (done->failure->hint.empty() ? "" : "; " + done->failure->hint));
  }
  // What somebody saved meanwhile is decided about next time: everything that could be settled was.
  const bool is_left_for_next_time = done->failure->code == ErrorCode::refused && !wanted.rebuild;
  return is_left_for_next_time ? 0 : static_cast<int>(done->failure->code);
}

}  // namespace

constinit const Command consolidate_command = {
    "consolidate",
    "Fold pending facts into durable ones, when it is time",
    "Facts of the archive become entries of consolidated/, by the model that [consolidation] model\n"
    "names, or by certain rules; the most useful of them are shown in MEMORY.md. Nothing is lost: the\n"
    "archive stays as it is, 'loci log' shows what was done, 'loci undo' takes it back. While a gate is\n"
    "closed (time, volume, budget, git, another machine) nothing is done, and the exit status is 0. It is\n"
    "also 0 if everything that could be settled was, and 6 if the model failed; its facts stay pending.",
    {},
    consolidate_options,
    run_consolidate};

}  // namespace loci::cli
