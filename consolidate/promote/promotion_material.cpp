#include "consolidate/promote/promotion_material.h"

#include <algorithm>

#include "edits/edit_state.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

// One that cannot be read shows nothing.
std::vector<std::string> shown_in_core(const Vault& vault) {
  std::vector<std::string> refs;
  const auto file = read_file_if_any(vault.files(), vault.file(core_file_name));
  const auto core = file && *file ? read_core(**file) : std::unexpected(Error{});
  if (!core) return refs;
  for (const CoreLine& line : core->lines)
    if (!line.ref.empty()) refs.push_back(line.ref);
  return refs;
}

}  // namespace

Result<PromotionMaterial> read_promotion_material(const Vault& vault) {
  auto recalls = TRY(recall_counts_until_now(vault));
  const auto chronicle = TRY(Chronicle::read(vault));
  std::vector<std::string> barred;
  const auto bar = [&](std::string_view id, std::string_view text_hash) {
    barred.emplace_back(id);
    if (!text_hash.empty()) barred.emplace_back(text_hash);
  };
  std::vector<std::set<std::string>> barred_facts;
  const auto bar_with_facts = [&](std::string_view id, std::string_view text_hash) {
    bar(id, text_hash);
    std::set<std::string>& facts = barred_facts.emplace_back();
    for (const LedgerEntry* line : chronicle.lines_of_entry(id)) facts.insert(line->fact);
  };
  for (const auto& [id, text_hash] : chronicle.demoted()) bar_with_facts(id, text_hash);
  // What is missing may have been taken out by a person, who is asked or believed a few minutes later.
  const auto undecided = undecided_absences(vault);
  for (const Absence& line : undecided.lines) bar_with_facts(line.id, line.hash);
  for (const Absence& entry : undecided.entries) bar(entry.id, entry.hash);
  const auto most = std::max<std::int64_t>(vault.config().consolidation.memory_max_lines, 0);
  auto shown = shown_in_core(vault);
  return PromotionMaterial{std::move(recalls),
                           std::move(barred),
                           static_cast<size_t>(most),
                           std::move(shown),
                           vault.clock().local_date(vault.clock().now()),
                           std::move(barred_facts)};
}

}  // namespace loci
