#include "consolidate/promotion_material.h"

#include <algorithm>

#include "edits/edit_state.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

Result<std::vector<std::string>> shown_in_core(const Vault& vault) {
  std::vector<std::string> refs;
  const auto file = TRY(read_file_if_any(vault.files(), vault.file(core_file_name)));
  const auto core = file ? read_core(*file) : std::unexpected(Error{});
  if (!core) return refs;
  for (const CoreLine& line : core->lines)
    if (!line.ref.empty()) refs.push_back(line.ref);
  return refs;
}

}  // namespace

Result<PromotionMaterial> read_promotion_material(const Vault& vault) {
  auto recalls = TRY(read_recall_counts(vault));
  const auto chronicle = TRY(Chronicle::read(vault));
  std::vector<std::string> barred(chronicle.demoted_ids().begin(), chronicle.demoted_ids().end());
  // A line that is missing may have been taken out by a person, who is asked or believed a few minutes later.
  for (const Absence& absence : undecided_absences(vault)) barred.push_back(absence.id);
  const auto most = std::max<std::int64_t>(vault.config().consolidation.memory_max_lines, 0);
  auto shown = TRY(shown_in_core(vault));
  return PromotionMaterial{std::move(recalls), std::move(barred), static_cast<size_t>(most), std::move(shown)};
}

}  // namespace loci
