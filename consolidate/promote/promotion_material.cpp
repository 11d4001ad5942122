#include "consolidate/promote/promotion_material.h"

#include <algorithm>
#include <set>

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

// By the run that made the entry: nothing else than these facts was in it. What became of it since does not matter.
bool was_made_of(const Chronicle& chronicle, std::string_view entry, const std::set<std::string_view>& facts) {
  std::string_view run;
  for (const LedgerEntry* line : chronicle.lines_of_entry(entry)) {
    if (line->entry != entry || (!run.empty() && line->run != run)) continue;
    run = line->run;
    if (!facts.contains(line->fact)) return false;
  }
  return !run.empty();
}

// Those that rebuilds have made of the same facts.
std::set<std::string_view> names_of_entry(const Chronicle& chronicle, std::string_view id) {
  std::set<std::string_view> facts, names{id};
  for (const LedgerEntry* line : chronicle.lines_of_entry(id)) facts.insert(line->fact);
  for (const std::string_view fact : facts)
    for (const std::string_view other : chronicle.entries_made_of(fact))
      if (was_made_of(chronicle, other, facts)) names.insert(other);
  return names;
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
  const auto bar_all_names = [&](std::string_view id, std::string_view text_hash) {
    for (const std::string_view name : names_of_entry(chronicle, id)) bar(name, text_hash);
  };
  for (const auto& [id, text_hash] : chronicle.demoted()) bar_all_names(id, text_hash);
  // What is missing may have been taken out by a person, who is asked or believed a few minutes later.
  const auto undecided = undecided_absences(vault);
  for (const Absence& line : undecided.lines) bar_all_names(line.id, line.hash);
  for (const Absence& entry : undecided.entries) bar(entry.id, entry.hash);
  const auto most = std::max<std::int64_t>(vault.config().consolidation.memory_max_lines, 0);
  auto shown = shown_in_core(vault);
  return PromotionMaterial{std::move(recalls), std::move(barred), static_cast<size_t>(most), std::move(shown),
                           vault.clock().local_date(vault.clock().now())};
}

}  // namespace loci
