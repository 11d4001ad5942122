#include "consolidate/decide/losses.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace loci {
namespace {

constexpr std::int64_t few_entries = 4, small_share_of_entries = 10;  // one in so many
constexpr std::int64_t few_bytes = 2'048, small_share_of_bytes = 5;

std::int64_t size_of(std::string_view text) { return static_cast<std::int64_t>(text.size()); }

RunLosses counted(const Material& material) {
  RunLosses losses;
  losses.entries_before = static_cast<std::int64_t>(material.entries.size());
  for (const DurableEntry& entry : material.entries) losses.bytes_before += size_of(entry.text);
  return losses;
}

// Entries and bytes; what was added counts against the bytes.
std::pair<std::int64_t, std::int64_t> taken_away_by(const Plan& plan, const Material& material) {
  std::map<std::string_view, std::int64_t> sizes;
  for (const DurableEntry& entry : material.entries) sizes.emplace(entry.id, size_of(entry.text));
  std::int64_t entries = 0, bytes = 0;
  for (const PlannedEntry& change : plan.changes) {
    const auto before = sizes.find(change.id);
    if (before != sizes.end()) bytes += before->second;
    if (change.removed)
      ++entries;
    else
      bytes -= size_of(change.text);
  }
  return {entries, bytes};
}

}  // namespace

Status check_losses(RunLosses& losses, const Plan& plan, const Material& material) {
  RunLosses after = losses;
  if (after.entries_before == 0 && after.bytes_before == 0) after = counted(material);
  const auto [entries, bytes] = taken_away_by(plan, material);
  after.entries_lost += entries;
  after.bytes_lost += bytes;
  if (after.entries_lost >= few_entries && after.entries_lost * small_share_of_entries > after.entries_before)
    return fail(
        ErrorCode::refused,
        "it would take " + std::to_string(after.entries_lost) + " of " + std::to_string(after.entries_before) + " entries out",
        "one run may take out a tenth of them");
  if (after.bytes_lost > few_bytes && after.bytes_lost * small_share_of_bytes > after.bytes_before)
    return fail(ErrorCode::refused,
                "it would shrink the text of all entries by " + std::to_string(after.bytes_lost) + " of " +
                    std::to_string(after.bytes_before) + " bytes",
                "one run may shrink it by a fifth");
  losses = after;
  return {};
}

Bearable bearable_part(RunLosses losses, const Decision& decision, const Material& material, const Cluster& cluster,
                       const RunIdentity& identity) {
  if (check_losses(losses, make_plan(decision, material, cluster, identity), material)) return {decision, {}};
  struct Part {
    Decision decision;
    Plan plan;
    std::int64_t entries = 0, bytes = 0;  // that it takes away
  };
  std::vector<Part> parts;
  for (Decision& one : independent_parts(decision)) {
    Part& part = parts.emplace_back();
    part.plan = make_plan(one, material, cluster, identity);
    part.decision = std::move(one);
    std::tie(part.entries, part.bytes) = taken_away_by(part.plan, material);
  }
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return std::pair(part.entries, part.bytes); });
  Bearable result;
  for (Part& part : parts) {
    const auto allowed = check_losses(losses, part.plan, material);
    for (Operation& operation : part.decision.operations)
      if (allowed)
        result.decision.operations.push_back(std::move(operation));
      else
        result.refused.push_back({std::move(operation), {allowed.error().message + "; " + allowed.error().hint}});
  }
  return result;
}

}  // namespace loci
