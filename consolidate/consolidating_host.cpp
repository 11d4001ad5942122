#include "consolidate/consolidating_host.h"

#include <algorithm>
#include <string_view>

namespace loci {

bool consolidates_here(const Vault& vault, std::string& instead) {
  const std::string& hosts = vault.config().consolidation.hosts;
  const std::string& primary = vault.config().primary;
  if (hosts == "all") return true;
  instead = hosts == "primary" ? primary : hosts;
  if (hosts == "primary") return primary.empty() || primary == vault.host();
  for (std::string_view rest = hosts; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view one = rest.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (one == vault.host()) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

}  // namespace loci
