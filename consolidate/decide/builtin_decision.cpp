#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "consolidate/decide/operations.h"

namespace loci {
namespace {

using Kind = Operation::Kind;

class BuiltinDecision {
 public:
  BuiltinDecision(const Material& material, const Cluster& cluster) : material_(material), cluster_(cluster) {
    for (const size_t entry : cluster.writable) {
      entries_by_hash_.try_emplace(material.entries[entry].hash, entry);
      for (const std::string& fact : material.entries[entry].from) entry_on_fact_.try_emplace(fact, entry);
    }
    for (const size_t entry : cluster.shown) entries_by_hash_.try_emplace(material.entries[entry].hash, entry);
  }

  Decision decide() {
    for (const size_t fact : cluster_.facts)
      if (const auto entry = entries_by_hash_.find(material_.facts[fact].hash); entry != entries_by_hash_.end())
        confirmed_.insert(entry->second);
    Decision decision;
    for (const size_t fact : cluster_.facts) decision.operations.push_back(about(fact));
    return decision;
  }

 private:
  Operation about(size_t index) {
    const Fact& fact = material_.facts[index];
    Operation operation;
    operation.facts = {index};
    if (const auto entry = entries_by_hash_.find(fact.hash); entry != entries_by_hash_.end()) {
      operation.kind = Kind::duplicate;
      operation.same_as_entry = entry->second;
      return operation;
    }
    if (const auto [earlier, is_first] = facts_by_hash_.try_emplace(fact.hash, index); !is_first) {
      operation.kind = Kind::duplicate;
      operation.same_as_fact = earlier->second;
      return operation;
    }
    operation.target = outdated_entry_of(fact);
    operation.kind = operation.target ? Kind::replace : Kind::add;
    operation.text = fact.text;
    operation.about = fact.about;
    return operation;
  }

  // A person edited a fact in the archive: the entry that rests on nothing else says what it said before. Not if somebody who is
  // trusted more has settled the entry's words, or another fact still says them.
  std::optional<size_t> outdated_entry_of(const Fact& fact) const {
    const auto found = entry_on_fact_.find(fact.id);
    if (found == entry_on_fact_.end() || confirmed_.contains(found->second)) return std::nullopt;
    const DurableEntry& entry = material_.entries[found->second];
    const bool is_alone = entry.from.size() == 1;
    const bool may = entry.source < Source::user || fact.source >= entry.source;
    return is_alone && may ? std::optional(found->second) : std::nullopt;
  }

  const Material& material_;
  const Cluster& cluster_;
  std::unordered_map<std::string_view, size_t> entries_by_hash_, facts_by_hash_;
  std::unordered_map<std::string_view, size_t> entry_on_fact_;  // by the fact's id
  std::unordered_set<size_t> confirmed_;                        // entries that a pending fact repeats
};

}  // namespace

Decision builtin_decision(const Material& material, const Cluster& cluster) { return BuiltinDecision(material, cluster).decide(); }

}  // namespace loci
