#include "consolidate/agenda.h"

#include <algorithm>
#include <iterator>

#include "consolidate/decide/decide_prompt.h"

namespace loci {
namespace {

constexpr size_t facts_a_keys_call = 100;
constexpr size_t most_shown_entries = 60;  // of one call
constexpr size_t most_prompt_bytes = 8'000;
constexpr std::int64_t most_tokens_a_call = 24'000;

std::vector<Cluster> parts_that_fit(const Material& material, Cluster cluster, const LanguageModel& model, std::int64_t most) {
  std::vector<Cluster> open, parts;
  open.push_back(std::move(cluster));
  while (!open.empty()) {
    Cluster part = std::move(open.back());
    open.pop_back();
    const bool fits = model.tokens_to_send(decide_request(material, part)) <= most;
    if (fits || (part.facts.size() == 1 && part.shown.empty())) {
      parts.push_back(std::move(part));
    } else if (part.facts.size() == 1) {
      part.shown.resize(part.shown.size() / 2);
      open.push_back(std::move(part));
    } else {
      const auto middle = part.facts.begin() + static_cast<std::ptrdiff_t>(part.facts.size() / 2);
      Cluster second{{middle, part.facts.end()}, {}, {}};
      std::ranges::merge(part.writable, part.shown, std::back_inserter(second.shown));
      part.facts.erase(middle, part.facts.end());
      open.push_back(std::move(second));  // behind the first
      open.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace

Agenda make_agenda(const Material& material, bool has_model, bool force, const std::set<std::string>& held) {
  Agenda agenda;
  for (size_t i = 0; i < material.facts.size(); ++i) {
    const Fact& fact = material.facts[i];
    if ((fact.quarantined && !force) || held.contains(fact.id)) continue;
    (has_model && !fact.is_private ? agenda.by_model : agenda.by_rule).push_back(i);
  }
  return agenda;
}

void keep_long_texts_out(Material& material) {
  const auto keep_out = [](auto& all) {
    for (auto& one : all) one.is_private |= one.text.size() > most_prompt_bytes;
  };
  keep_out(material.facts);
  keep_out(material.entries);
}

ClusterLimits cluster_limits(const Vault& vault) {
  const auto& settings = vault.config().consolidation;
  return {.most_facts = static_cast<size_t>(std::max<std::int64_t>(settings.cluster_max, 1)),
          .most_entries = most_shown_entries,
          .neighbors = static_cast<size_t>(std::max<std::int64_t>(settings.neighbor_k, 1))};
}

std::vector<std::vector<Cluster>> calls_to_decide(const Material& material, const std::vector<size_t>& facts,
                                                  const ClusterLimits& limits, const LanguageModel& model,
                                                  std::int64_t tokens_a_day) {
  const std::int64_t most = tokens_a_day > 0 ? std::min(most_tokens_a_call, tokens_a_day / 2) : most_tokens_a_call;
  const std::int64_t instructions = model.tokens_to_send(decide_request(material, {}));
  std::vector<Cluster> parts;
  std::vector<std::int64_t> sizes;
  for (Cluster& cluster : make_clusters(material, facts, limits))
    for (Cluster& part : parts_that_fit(material, std::move(cluster), model, most)) {
      sizes.push_back(model.tokens_to_send(decide_request(material, part)) - instructions);
      parts.push_back(std::move(part));
    }
  return pack(std::move(parts), sizes, most - instructions, material, limits);
}

bool fits_one_call(const Material& material, const Agenda& agenda, const ClusterLimits& limits) {
  return agenda.by_model.size() <= limits.most_facts && material.entries.size() <= limits.most_entries;
}

std::vector<std::vector<size_t>> portions_without_keys(const Material& material, const Agenda& agenda, const ClusterLimits& limits,
                                                       const KeptKeys& kept) {
  std::vector<std::vector<size_t>> portions;
  if (fits_one_call(material, agenda, limits)) return portions;
  for (const size_t index : agenda.by_model) {
    if (!material.facts[index].about.empty() || kept.has(material.facts[index])) continue;
    if (portions.empty() || portions.back().size() == facts_a_keys_call) portions.emplace_back();
    portions.back().push_back(index);
  }
  return portions;
}

Cluster cluster_of_everything(const Material& material, const std::vector<size_t>& facts) {
  Cluster cluster{facts, {}, {}};
  for (size_t i = 0; i < material.entries.size(); ++i)
    if (material.entries[i].writable && !material.entries[i].is_offered_as_fact) cluster.writable.push_back(i);
  return cluster;
}

}  // namespace loci
