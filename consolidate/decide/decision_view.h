// An answer of a model as its checks look at it: operations with what they name, and texts, read once. One check owns it. Never
// fails.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "consolidate/decide/operations.h"
#include "words/statement.h"

namespace loci {

class DecisionView {
 public:
  // All have to outlive it.
  DecisionView(const std::vector<Operation>& operations, const Material& material, const Cluster& cluster)
      : operations_(operations), material_(material), cluster_(cluster) {}

  const std::vector<Operation>& operations() const { return operations_; }
  const Cluster& cluster() const { return cluster_; }
  const Fact& fact(size_t index) const { return material_.facts[index]; }
  const DurableEntry& entry(size_t index) const { return material_.entries[index]; }
  static bool writes_text(const Operation& operation) {
    return operation.kind == Operation::Kind::add || operation.kind == Operation::Kind::replace;
  }

  // Of this cluster, whatever an operation names.
  bool is_here(size_t fact) const { return std::ranges::find(cluster_.facts, fact) != cluster_.facts.end(); }
  bool is_writable(size_t entry) const { return std::ranges::find(cluster_.writable, entry) != cluster_.writable.end(); }

  // The REPLACE of an entry, if there is one; the operation that settles a fact; entries that a REMOVE merges into it.
  const Operation* replacement_of(size_t entry) const;
  const Operation* operation_with(size_t fact) const;
  std::vector<size_t> removed_into(size_t entry) const;
  Source highest_trust(const Operation& operation) const;
  // A fact's own words may stand as they are, whatever they look like: the archive has them already, and the writer escapes them.
  bool is_verbatim(const Operation& operation) const;

  const Statement& statement(const std::string& text);

 private:
  const std::vector<Operation>& operations_;
  const Material& material_;
  const Cluster& cluster_;
  std::map<std::string, Statement> statements_;
};

}  // namespace loci
