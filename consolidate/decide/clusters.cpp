#include "consolidate/decide/clusters.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <ranges>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "consolidate/decide/similarity.h"

namespace loci {
namespace {

constexpr Similarity least_of_entries = 1'000;  // below, an entry says nothing about a fact
constexpr Similarity least_of_facts = 2'000;    // below, two facts are not decided about together
constexpr size_t nearest_facts = 3;             // of each fact that may be joined to it, if it is among theirs too
constexpr Similarity close_percent = 80;        // of a fact's greatest similarity to another
constexpr Similarity certain = 100'000;         // same text, or one names the other

// Sets of nodes with a size each; a union that would pass the limits is not made.
class Groups {
 public:
  Groups(size_t facts, size_t entries, const ClusterLimits& limits)
      : limits_(limits), parent_(facts + entries), sizes_(parent_.size()) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
    for (size_t node = 0; node < sizes_.size(); ++node) (node < facts ? sizes_[node].facts : sizes_[node].entries) = 1;
  }

  size_t of(size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(size_t one, size_t other) {
    const size_t a = std::min(of(one), of(other)), b = std::max(of(one), of(other));
    const Size sum{sizes_[a].facts + sizes_[b].facts, sizes_[a].entries + sizes_[b].entries};
    if (a == b || sum.facts > limits_.most_facts || sum.entries > limits_.most_entries) return;
    parent_[b] = a;
    sizes_[a] = sum;
  }

 private:
  struct Size {
    size_t facts = 0, entries = 0;
  };

  const ClusterLimits& limits_;
  std::vector<size_t> parent_;
  std::vector<Size> sizes_;
};

// Joins the strongest first: what the limits cut off is then what belongs together least.
struct Edge {
  Similarity similarity = 0;
  size_t one = 0, other = 0;  // nodes: facts in their order, then entries

  auto order() const { return std::tuple(-similarity, one, other); }
};

class Clustering {
 public:
  Clustering(const Material& material, const std::vector<size_t>& facts, const ClusterLimits& limits)
      : material_(material), facts_(facts), limits_(limits) {
    for (size_t i = 0; i < material.entries.size(); ++i)
      if (!material.entries[i].is_private && !material.entries[i].is_offered_as_fact) entries_.push_back(i);
  }

  std::vector<Cluster> make() {
    if (facts_.empty()) return {};
    const bool fits = facts_.size() <= limits_.most_facts && entries_.size() <= limits_.most_entries;
    if (fits && !has_a_last_try(std::views::iota(size_t{0}, facts_.size()))) return {everything()};
    find_neighbors();
    join_what_is_certain();
    join_nearest();
    Groups groups(facts_.size(), entries_.size(), limits_);
    join_all(groups, edges_);
    join_all(groups, claims());
    return clusters_of(groups);
  }

 private:
  const DurableEntry& entry(size_t node) const { return material_.entries[entries_[node - facts_.size()]]; }
  const Fact& fact(size_t node) const { return material_.facts[facts_[node]]; }
  bool is_fact(size_t node) const { return node < facts_.size(); }
  // Their cluster may have failed because of another fact: before one is put in quarantine it is tried without strangers.
  bool has_a_last_try(const auto& nodes_of_facts) const {
    return std::ranges::any_of(nodes_of_facts, [&](size_t node) { return fact(node).failures + 1 >= failures_quarantine; });
  }
  size_t nodes() const { return facts_.size() + entries_.size(); }

  Cluster everything() const {
    Cluster cluster{facts_, {}, {}};
    for (const size_t index : entries_) (material_.entries[index].writable ? cluster.writable : cluster.shown).push_back(index);
    return cluster;
  }

  void find_neighbors() {
    std::vector<TopicText> texts;
    for (size_t node = 0; node < nodes(); ++node)
      texts.push_back(is_fact(node) ? TopicText{fact(node).text, fact(node).about}
                                    : TopicText{entry(node).text, entry(node).about});
    SimilarityIndex index(texts);
    for (size_t node = 0; node < facts_.size(); ++node) {
      near_entries_.push_back(index.nearest(node, facts_.size(), nodes(), limits_.neighbors, least_of_entries));
      // What is near nothing is shown what comes nearest; before quarantine a fact sees all that it was ever put beside.
      if (has_a_last_try(std::views::single(node)))
        shown_beside_[node] = all_beside(index, node);
      else if (near_entries_.back().empty())
        shown_beside_[node] = index.nearest(node, facts_.size(), nodes(), limits_.neighbors, 1);
      near_facts_.push_back(index.nearest(node, 0, facts_.size(), nearest_facts, least_of_facts));
    }
  }

  // Where all entries fit one call, it was one call.
  std::vector<Neighbor> all_beside(SimilarityIndex& index, size_t node) const {
    auto beside = index.nearest(node, facts_.size(), nodes(), limits_.most_entries, 1);
    if (entries_.size() > limits_.most_entries) return beside;
    for (size_t other = facts_.size(); other < nodes(); ++other)
      if (std::ranges::find(beside, other, &Neighbor::index) == beside.end()) beside.push_back({other, 0});
    return beside;
  }

  // The same text, `corrects` and `from`.
  void join_what_is_certain() {
    std::unordered_map<std::string_view, size_t> by_id, by_hash;
    for (size_t node = 0; node < nodes(); ++node) {
      by_id.try_emplace(is_fact(node) ? fact(node).id : entry(node).id, node);
      const std::string& hash = is_fact(node) ? fact(node).hash : entry(node).hash;
      if (const auto same = by_hash.try_emplace(hash, node).first->second; !hash.empty()) connect_for_certain(same, node);
    }
    const auto connect_named = [&](size_t node, const std::string& id) {
      if (const auto named = by_id.find(id); named != by_id.end()) connect_for_certain(node, named->second);
    };
    for (size_t node = 0; node < facts_.size(); ++node) connect_named(node, fact(node).corrects);
    for (size_t node = facts_.size(); node < nodes(); ++node)
      for (const std::string& id : entry(node).from) connect_named(node, id);
  }

  // Such an entry is shown even where it may not be written.
  void connect_for_certain(size_t one, size_t other) {
    const size_t first = std::min(one, other), second = std::max(one, other);
    connect(certain, first, second);
    if (!is_fact(first) || is_fact(second)) return;
    auto& near = near_entries_[first];
    std::erase_if(near, [&](const Neighbor& neighbor) { return neighbor.index == second; });
    near.insert(near.begin(), {second, certain});
  }

  // Between facts, and from a fact to an entry that may be written: two entries join nothing.
  void connect(Similarity similarity, size_t one, size_t other) {
    const auto [first, second] = std::minmax(one, other);
    if (first == second || !is_fact(first) || (!is_fact(second) && !entry(second).writable)) return;
    edges_.push_back({similarity, first, second});
  }

  // Each fact with its nearest entry, that entry with its nearest fact, and facts that are among each other's nearest. Chains of
  // nearest ones get nearer with each step, so they are short. Joining each fact with all its neighbours melts everything into one.
  void join_nearest() {
    for (size_t node = 0; node < facts_.size(); ++node) {
      for (const Neighbor& near : near_entries_[node]) {
        auto& best = nearest_fact_.try_emplace(near.index, Neighbor{node, near.similarity}).first->second;
        if (near.similarity > best.similarity) best = {node, near.similarity};
      }
      for (const Neighbor& near : near_facts_[node])
        if (near.index < node && is_close(node, near.index) && is_close(near.index, node))
          connect(near.similarity, near.index, node);
    }
    for (size_t node = 0; node < facts_.size(); ++node)
      if (const auto near = nearest_writable(node)) {
        connect(near->similarity, node, near->index);
        const Neighbor& best = nearest_fact_.at(near->index);
        connect(best.similarity, best.index, near->index);
      }
  }

  // Is the other fact among the nearest of this one, and about as near as the nearest?
  bool is_close(size_t node, size_t other) const {
    const auto& near = near_facts_[node];
    const auto found = std::ranges::find(near, other, &Neighbor::index);
    return found != near.end() && found->similarity >= near.front().similarity * close_percent / 100;
  }

  std::optional<Neighbor> nearest_writable(size_t node) const {
    const auto& near = near_entries_[node];
    const auto found = std::ranges::find_if(near, [&](const Neighbor& neighbor) { return entry(neighbor.index).writable; });
    return found == near.end() ? std::nullopt : std::optional(*found);
  }

  // The other entries that facts have near them: each goes where its nearest fact is.
  std::vector<Edge> claims() const {
    std::vector<bool> is_joined(nodes(), false);
    for (const Edge& edge : edges_) is_joined[edge.other] = true;
    std::vector<Edge> claims;
    for (const auto& [node, best] : nearest_fact_)
      if (entry(node).writable && !is_joined[node]) claims.push_back({best.similarity, best.index, node});
    return claims;
  }

  static void join_all(Groups& groups, std::vector<Edge> edges) {
    std::ranges::sort(edges, {}, &Edge::order);
    for (const Edge& edge : edges) groups.join(edge.one, edge.other);
  }

  std::vector<Cluster> clusters_of(Groups& groups) {
    std::vector<std::vector<size_t>> members(nodes());  // nodes, by group
    for (size_t node = 0; node < nodes(); ++node) members[groups.of(node)].push_back(node);
    std::vector<Cluster> clusters;
    for (const auto& group : members)
      if (!group.empty() && is_fact(group[0])) clusters.push_back(cluster_of(group));
    std::ranges::sort(clusters, {}, [](const Cluster& cluster) { return cluster.facts.front(); });
    hand_out_the_rest(clusters);
    return clusters;
  }

  // What no cluster may write, the first one may that sees it.
  void hand_out_the_rest(std::vector<Cluster>& clusters) const {
    std::vector<bool> is_claimed(material_.entries.size(), false);
    for (const Cluster& cluster : clusters)
      for (const size_t index : cluster.writable) is_claimed[index] = true;
    for (Cluster& cluster : clusters) {
      std::erase_if(cluster.shown, [&](size_t index) {
        if (is_claimed[index] || !material_.entries[index].writable) return false;
        cluster.writable.push_back(index);
        is_claimed[index] = true;
        return true;
      });
      std::ranges::sort(cluster.writable);
    }
  }

  Cluster cluster_of(const std::vector<size_t>& group) const {
    Cluster cluster;
    std::vector<Edge> seen;
    for (const size_t node : group) {
      if (is_fact(node)) {
        cluster.facts.push_back(facts_[node]);
        for (const Neighbor& near : near_entries_[node]) seen.push_back({near.similarity, near.index, node});
        if (const auto beside = shown_beside_.find(node); beside != shown_beside_.end())
          for (const Neighbor& near : beside->second) seen.push_back({near.similarity, near.index, node});
      } else {
        cluster.writable.push_back(entries_[node - facts_.size()]);
      }
    }
    std::ranges::sort(seen, {}, &Edge::order);
    for (const Edge& edge : seen) {
      const size_t index = entries_[edge.one - facts_.size()];
      const bool is_there =
          std::ranges::binary_search(cluster.writable, index) || std::ranges::find(cluster.shown, index) != cluster.shown.end();
      if (!is_there && cluster.writable.size() + cluster.shown.size() < limits_.most_entries) cluster.shown.push_back(index);
    }
    std::ranges::sort(cluster.facts);
    std::ranges::sort(cluster.shown);
    return cluster;
  }

  const Material& material_;
  const std::vector<size_t>& facts_;
  const ClusterLimits& limits_;
  std::vector<size_t> entries_;                                     // that may be shown
  std::vector<std::vector<Neighbor>> near_entries_, near_facts_;    // by fact, as nodes
  std::unordered_map<size_t, std::vector<Neighbor>> shown_beside_;  // by fact: entries that it only sees
  std::unordered_map<size_t, Neighbor> nearest_fact_;               // by entry, of the facts that have it among their nearest
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<Cluster> make_clusters(const Material& material, const std::vector<size_t>& facts, const ClusterLimits& limits) {
  ClusterLimits possible = limits;
  possible.most_facts = std::max<size_t>(possible.most_facts, 1);
  return Clustering(material, facts, possible).make();
}

}  // namespace loci
