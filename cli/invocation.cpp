#include "cli/command.h"

namespace loci::cli {

Result<Memory> Invocation::open_memory() const {
  auto root = find_vault(environment, files, arguments.text("--vault"));
  if (!root) return std::unexpected(root.error());
  auto memory = Memory::open(*root, environment, files, clock);
  if (!memory) return memory;
  for (const Problem& warning : memory->vault().loaded_config().warnings)
    out.warn(warning.file + (warning.line > 0 ? ":" + std::to_string(warning.line) : "") + ": " + warning.message);
  return memory;
}

Result<Memory> Invocation::open_fresh_memory(Freshness& freshness) const {
  auto memory = open_memory();
  if (!memory) return memory;
  const auto updated = memory->bring_up_to_date(out.progress());
  out.clear_progress();
  if (!updated) return std::unexpected(updated.error());
  freshness = *updated;
  if (!freshness.fresh())
    out.warn(std::to_string(freshness.pending_files) + " changed files are not indexed yet: " + freshness.reason);
  return memory;
}

}  // namespace loci::cli
