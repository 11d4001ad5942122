// Which facts are decided about together, beside which entries. Similarity only finds candidates. Pure and deterministic: the same
// material gives the same clusters in the same order, on every machine. Design: mutual nearest neighbours, so that everything does
// not melt into one component.
#pragma once

#include <cstddef>
#include <vector>

#include "consolidate/material.h"

namespace loci {

struct ClusterLimits {
  size_t most_facts = 25;    // of one cluster ([consolidation] cluster_max)
  size_t most_entries = 60;  // that one call shows
  size_t neighbors = 8;      // nearest entries of a fact ([consolidation] neighbor_k)
};

// Indexes into a Material, each list rising.
struct Cluster {
  std::vector<size_t> facts;
  std::vector<size_t> writable;  // entries that this cluster may change, and no other
  std::vector<size_t> shown;     // entries that it only sees

  bool operator==(const Cluster&) const = default;
};

// Every fact given is in exactly one cluster; every entry is writable in at most one. `facts`: those to decide about, rising. If
// they and all entries fit one call there is one cluster of everything. A fact that has no neighbour is shown the entries that are
// recalled most. Entries that are not `writable` or are private are never writable; private ones are not shown either.
// Time: O(postings) for the vectors; 1,000 facts beside 10,000 entries stay well under 2 s.
std::vector<Cluster> make_clusters(const Material& material, const std::vector<size_t>& facts, const ClusterLimits& limits);

}  // namespace loci
