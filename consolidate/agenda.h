// What a run decides about, by whom, and in which portions.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "consolidate/decide/clusters.h"
#include "consolidate/decide/material.h"
#include "consolidate/kept_keys.h"
#include "memory/memory.h"
#include "model/language_model.h"
#include "vault/layout/vault.h"

namespace loci {

// Indexes of facts, rising.
struct Agenda {
  std::vector<size_t> by_model;
  std::vector<size_t> by_rule;  // without a model all of them, else what it must not see
};

// Quarantined facts only by force; `held` (ids) not at all.
Agenda make_agenda(const Material& material, bool has_model, bool force, const std::set<std::string>& held = {});

// What is longer than a few pages is in no prompt, as if it were private: one paste must not fill every call. The rules settle it.
void keep_long_texts_out(Material& material);

// What is decided about in one call each: clusters that share it. None sends more tokens than one call should; a cluster that would
// goes in halves and quarters, where entries that one part may write the others only see. What is too much for a single fact loses
// what it is shown.
std::vector<std::vector<Cluster>> calls_to_decide(const Material& material, const std::vector<size_t>& facts,
                                                  const ClusterLimits& limits, const LanguageModel& model,
                                                  std::int64_t tokens_a_day);

ClusterLimits cluster_limits(const Vault& vault);

// Does everything meet in one call anyway?
bool fits_one_call(const Material& material, const Agenda& agenda, const ClusterLimits& limits);

// The facts of these that have no topic keys and that no model was asked about, in portions of one call each. Where everything
// meets in one call there are none: keys are for finding candidates.
std::vector<std::vector<size_t>> portions_without_keys(const Material& material, const Agenda& agenda, const ClusterLimits& limits,
                                                       const KeptKeys& kept);

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
