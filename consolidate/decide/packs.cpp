#include <algorithm>

#include "consolidate/decide/clusters.h"

namespace loci {
namespace {

bool has_a_last_try(const Cluster& cluster, const Material& material) {
  return std::ranges::any_of(cluster.facts, [&](size_t fact) { return material.facts[fact].failures + 1 >= failures_quarantine; });
}

void add_all(std::vector<size_t>& to, const std::vector<size_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::ranges::sort(to);
  const auto repeats = std::ranges::unique(to);
  to.erase(repeats.begin(), repeats.end());
}

bool is_within(const Cluster& cluster, const ClusterLimits& limits) {
  return cluster.facts.size() <= limits.most_facts && cluster.writable.size() + cluster.shown.size() <= limits.most_entries;
}

struct Pack {
  std::vector<Cluster> clusters;
  Cluster whole;
  std::int64_t size = 0;
  bool is_closed = false;
};

}  // namespace

Cluster together(const std::vector<Cluster>& clusters) {
  Cluster whole;
  for (const Cluster& cluster : clusters) {
    add_all(whole.facts, cluster.facts);
    add_all(whole.writable, cluster.writable);
    add_all(whole.shown, cluster.shown);
  }
  std::erase_if(whole.shown, [&](size_t entry) { return std::ranges::binary_search(whole.writable, entry); });
  return whole;
}

std::vector<std::vector<Cluster>> pack(std::vector<Cluster> clusters, const std::vector<std::int64_t>& sizes, std::int64_t most,
                                       const Material& material, const ClusterLimits& limits) {
  std::vector<Pack> packs;
  for (size_t i = 0; i < clusters.size(); ++i) {
    const bool is_alone = has_a_last_try(clusters[i], material);
    const auto has_room = [&](const Pack& pack) {
      return !is_alone && !pack.is_closed && pack.size + sizes[i] <= most && is_within(together({pack.whole, clusters[i]}), limits);
    };
    auto room = std::ranges::find_if(packs, has_room);
    if (room == packs.end()) room = packs.insert(packs.end(), Pack{{}, {}, 0, is_alone});
    room->whole = together({room->whole, clusters[i]});
    room->size += sizes[i];
    room->clusters.push_back(std::move(clusters[i]));
  }
  std::vector<std::vector<Cluster>> packed;
  for (Pack& pack : packs) packed.push_back(std::move(pack.clusters));
  return packed;
}

}  // namespace loci
