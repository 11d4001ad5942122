// Which facts are decided about together, beside which entries. Similarity only finds candidates. Pure and deterministic: the same
// material gives the same clusters in the same order, on every machine. Design: mutual nearest neighbours, so that everything does
// not melt into one component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "consolidate/decide/material.h"

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

// Every fact given is in exactly one cluster; every entry is writable in at most one. `facts`: those to decide about, rising; the
// clusters come in the order of their first facts.
//
// If facts and entries fit one call there is one cluster of everything. Else facts are decided about together if they have the same
// text, if one names the other (`corrects`, `from`), if they are about equally each other's nearest, or if they have the same
// nearest entry; the strongest first, as far as the limits allow. An entry is writable where its nearest fact is, and shown to
// others that have it among their `neighbors`. A shared topic key makes neighbours, unless more than 20 have it.
// Facts that are near no entry stand beside the entries that come nearest, and no others. Facts whose cluster has failed so often
// that this is their last try are not put together with facts that are no neighbours of theirs, since one of those may be the
// cause; but they see every entry that they were ever put beside, as far as a call holds them.
//
// Entries that are not `writable` or are private are never writable; private ones are not shown either. Linear in the texts, plus
// at most 50,000 places of the inverted lists a fact: 1,000 facts beside 10,000 entries take about 0.2 s, beside 100,000 about 1.5
// s.
std::vector<Cluster> make_clusters(const Material& material, const std::vector<size_t>& facts, const ClusterLimits& limits);

// All of them as one; an entry that one may change is not merely shown.
Cluster together(const std::vector<Cluster>& clusters);

// Clusters that share a call, since most of a small call are its instructions: in their order, each in the first pack that has room
// for it. Facts on their last try stay alone. `sizes`: of each cluster, in whatever unit `most` has for a pack.
std::vector<std::vector<Cluster>> pack(std::vector<Cluster> clusters, const std::vector<std::int64_t>& sizes, std::int64_t most,
                                       const Material& material, const ClusterLimits& limits);

}  // namespace loci
