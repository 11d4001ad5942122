#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "consolidate/decide/operations.h"

namespace loci {
namespace {

// Sets of operations, joined by what they name.
class Parts {
 public:
  explicit Parts(size_t operations) : parent_(operations) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }

  size_t part_of(size_t operation) {
    while (parent_[operation] != operation) operation = parent_[operation] = parent_[parent_[operation]];
    return operation;
  }
  void names_fact(size_t operation, size_t fact) { join(operation, facts_.emplace(fact, operation).first->second); }
  void names_entry(size_t operation, size_t entry) { join(operation, entries_.emplace(entry, operation).first->second); }

 private:
  void join(size_t one, size_t other) {
    const size_t mine = part_of(one), its = part_of(other);
    parent_[std::max(mine, its)] = std::min(mine, its);
  }

  std::vector<size_t> parent_;
  std::map<size_t, size_t> facts_, entries_;  // named -> the first operation that names it
};

}  // namespace

std::vector<Decision> independent_parts(const Decision& decision) {
  Parts parts(decision.operations.size());
  for (size_t i = 0; i < decision.operations.size(); ++i) {
    const Operation& operation = decision.operations[i];
    for (const size_t fact : operation.facts) parts.names_fact(i, fact);
    if (operation.same_as_fact) parts.names_fact(i, *operation.same_as_fact);
    for (const auto& entry : {operation.target, operation.into, operation.against, operation.same_as_entry})
      if (entry) parts.names_entry(i, *entry);
  }
  std::map<size_t, Decision> by_first;
  for (size_t i = 0; i < decision.operations.size(); ++i) by_first[parts.part_of(i)].operations.push_back(decision.operations[i]);
  std::vector<Decision> all;
  for (auto& [first, part] : by_first) all.push_back(std::move(part));
  return all;
}

}  // namespace loci
