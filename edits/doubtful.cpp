#include "edits/doubtful.h"

#include "vault/logs/chronicle.h"

namespace loci {
namespace {

bool is_out_still(const Chronicle& logs, const Act& act) {
  if (act.outcome == "deleted") return logs.is_removed(act.entry);
  return act.outcome == "waits" || (act.outcome == "demoted" && logs.explains_line_removal(act.entry));
}

Problem problem_of(const Act& act) {
  return {act.file,
          0,
          "perhaps-old-buffer",
          "the file was saved as it had been before '" + act.entry +
              "' came: that counts as taken out, and may have been an editor's old buffer; 'loci restore " + act.id +
              "' puts it back, 'loci resolve " + act.entry + " --keep' says that it was meant",
          {act.entry}};
}

}  // namespace

Result<std::vector<Act>> doubtful_acts(const Vault& vault) {
  auto acts = TRY(acts_of(vault));
  std::erase_if(acts, [](const Act& act) { return !act.doubtful; });
  if (acts.empty()) return acts;
  const auto logs = TRY(Chronicle::read(vault));
  std::erase_if(acts, [&](const Act& act) { return !is_out_still(logs, act); });
  return acts;
}

void add_doubtful_acts(const Vault& vault, std::vector<Problem>& problems) {
  const auto acts = doubtful_acts(vault);
  if (!acts) return;
  for (const Act& act : *acts) problems.push_back(problem_of(act));
}

Status note_that_it_was_meant(const Vault& vault, Act act) {
  act.doubtful = false;
  return log_act(vault, act);
}

}  // namespace loci
