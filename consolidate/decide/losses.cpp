#include <algorithm>
#include <map>
#include <string_view>

#include "consolidate/decide/plan.h"

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

}  // namespace

Status check_losses(RunLosses& losses, const Plan& plan, const Material& material) {
  RunLosses after = losses;
  if (after.entries_before == 0 && after.bytes_before == 0) after = counted(material);
  std::map<std::string_view, std::int64_t> sizes;
  for (const DurableEntry& entry : material.entries) sizes.emplace(entry.id, size_of(entry.text));
  for (const PlannedEntry& change : plan.changes) {
    const auto before = sizes.find(change.id);
    if (before != sizes.end()) after.bytes_lost += before->second;
    if (change.removed)
      ++after.entries_lost;
    else
      after.bytes_lost -= size_of(change.text);
  }
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

}  // namespace loci
