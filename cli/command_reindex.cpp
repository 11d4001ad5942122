#include "base/counted.h"
#include "cli/command.h"
#include "memory/json_shapes.h"
#include "operations/requests.h"

namespace loci::cli {
namespace {

std::string report_text(const ReconcileReport& report) {
  std::string text = counted(report.files_seen, "file", "files") + ", " + std::to_string(report.files_changed) + " changed, " +
                     std::to_string(report.files_removed) + " gone; entries: " + std::to_string(report.entries_added) + " added, " +
                     std::to_string(report.entries_changed) + " changed, " + std::to_string(report.entries_removed) + " removed";
  if (report.rebuilt) text += " (built anew: " + report.rebuild_reason + ")";
  return text;
}

Result<int> run_reindex(Invocation& invocation) {
  auto memory = TRY(invocation.open_memory());
  const bool clear = invocation.arguments.has("--clear"), is_some = invocation.arguments.has("--file");
  if (clear && is_some) return fail(ErrorCode::usage, "--clear and --file exclude each other");
  const auto report =
      is_some ? memory.take_in(invocation.arguments.all("--file")) : memory.reindex(clear, invocation.out.progress());
  invocation.out.clear_progress();
  if (!report) return std::unexpected(report.error());
  if (invocation.out.json())
    invocation.out.value(report_to_json(*report));
  else
    invocation.out.line(report_text(*report));
  return 0;
}

}  // namespace

constinit const Command reindex_command = {"reindex",
                                           "Bring the search index up to date with the files",
                                           "Every command does this by itself. The index holds nothing that is not in the files.",
                                           {},
                                           reindex_parameters,
                                           run_reindex};

}  // namespace loci::cli
