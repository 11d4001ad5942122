#include "memory/choose_entry.h"

#include <algorithm>

namespace loci {
namespace {

std::string candidates_text(const std::vector<Entry>& entries) {
  std::string out;
  for (const Entry& entry : entries) {
    if (!out.empty()) out += ", ";
    out += entry.id;
  }
  return out;
}

}  // namespace

Result<Entry> choose_entry(std::vector<Entry> found, const std::string& id_or_prefix, bool inactive) {
  if (found.size() > 1 && std::ranges::any_of(found, &Entry::active))  // an active one is what is meant
    std::erase_if(found, [](const Entry& entry) { return !entry.active; });
  if (found.size() == 1 && (inactive || found.front().active)) return found.front();
  if (found.size() > 1)
    return fail(ErrorCode::usage, "several entries have an id that starts with '" + id_or_prefix + "'",
                "write more of it: " + candidates_text(found));
  if (found.empty())
    return fail(ErrorCode::not_found, "there is no entry '" + id_or_prefix + "'", "'loci list' and 'loci search' show the ids");
  return fail(ErrorCode::not_found, "'" + found.front().id + "' was deleted or corrected",
              "'loci show' tells by whom; 'loci restore' takes it back");
}

}  // namespace loci
