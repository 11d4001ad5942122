// An answer of a model as its rules look at it: operations with what they name, and the words of texts, read once.
// One check owns it. Never fails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "consolidate/operations.h"
#include "words/text_words.h"

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

  // The REPLACE of an entry, if there is one; entries that a REMOVE merges into it.
  const Operation* replacement_of(size_t entry) const;
  std::vector<size_t> removed_into(size_t entry) const;
  Source highest_trust(const Operation& operation) const;
  // A fact's own words may stand as they are, whatever they look like: the archive has them already, and the writer escapes them.
  bool is_verbatim(const Operation& operation) const;

  const TextWords& words_of(const std::string& text);
  WordReader& reader() { return reader_; }

 private:
  const std::vector<Operation>& operations_;
  const Material& material_;
  const Cluster& cluster_;
  WordReader reader_;
  std::map<std::string, TextWords> words_;
};

// "operation 2 (REPLACE) …"
std::unexpected<Error> refusal_of(const DecisionView& view, const Operation& operation, const Error& why);

}  // namespace loci
