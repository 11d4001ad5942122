// What a run decides about, by whom, and in which portions. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "consolidate/clusters.h"
#include "consolidate/material.h"
#include "vault/vault.h"

namespace loci {

// Indexes of facts, rising.
struct Agenda {
  std::vector<size_t> by_model;
  std::vector<size_t> by_rule;  // without a model all of them, else what it must not see
};

// Quarantined facts only by force.
Agenda make_agenda(const Material& material, bool has_model, bool force);

ClusterLimits cluster_limits(const Vault& vault);

// Does everything meet in one call anyway?
bool fits_one_call(const Material& material, const Agenda& agenda, const ClusterLimits& limits);

// The facts of these that have no topic keys, in portions of one call each. Where everything meets in one call there are none:
// keys are for finding candidates.
std::vector<std::vector<size_t>> portions_without_keys(const Material& material, const Agenda& agenda, const ClusterLimits& limits);

// These facts beside every entry: the builtin rules need no neighbours.
Cluster cluster_of_everything(const Material& material, const std::vector<size_t>& facts);

// The ids of the chosen ones.
template <typename Range>
std::vector<std::string> ids_of(const Range& all, const std::vector<size_t>& chosen) {
  std::vector<std::string> ids;
  for (const size_t index : chosen) ids.push_back(all[index].id);
  return ids;
}

}  // namespace loci
