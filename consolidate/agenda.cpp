#include "consolidate/agenda.h"

#include <algorithm>

namespace loci {
namespace {

constexpr size_t facts_a_keys_call = 100;
constexpr size_t most_shown_entries = 60;  // of one call

}  // namespace

Agenda make_agenda(const Material& material, bool has_model, bool force) {
  Agenda agenda;
  for (size_t i = 0; i < material.facts.size(); ++i) {
    const Fact& fact = material.facts[i];
    if (fact.quarantined && !force) continue;
    (has_model && !fact.is_private ? agenda.by_model : agenda.by_rule).push_back(i);
  }
  return agenda;
}

ClusterLimits cluster_limits(const Vault& vault) {
  const auto& settings = vault.config().consolidation;
  return {.most_facts = static_cast<size_t>(std::max<std::int64_t>(settings.cluster_max, 1)),
          .most_entries = most_shown_entries,
          .neighbors = static_cast<size_t>(std::max<std::int64_t>(settings.neighbor_k, 1))};
}

bool fits_one_call(const Material& material, const Agenda& agenda, const ClusterLimits& limits) {
  return agenda.by_model.size() <= limits.most_facts && material.entries.size() <= limits.most_entries;
}

std::vector<std::vector<size_t>> portions_without_keys(const Material& material, const Agenda& agenda,
                                                       const ClusterLimits& limits) {
  std::vector<std::vector<size_t>> portions;
  if (fits_one_call(material, agenda, limits)) return portions;
  for (const size_t index : agenda.by_model) {
    if (!material.facts[index].about.empty()) continue;
    if (portions.empty() || portions.back().size() == facts_a_keys_call) portions.emplace_back();
    portions.back().push_back(index);
  }
  return portions;
}

Cluster cluster_of_everything(const Material& material, const std::vector<size_t>& facts) {
  Cluster cluster{facts, {}, {}};
  for (size_t i = 0; i < material.entries.size(); ++i)
    if (material.entries[i].writable) cluster.writable.push_back(i);
  return cluster;
}

}  // namespace loci
